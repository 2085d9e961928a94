// When a campaign with failing sends pauses. Pure. `settleLease` applies the limits in SQL.
import type { MessageAttempt } from "../messages/settle/settle-messages.ts";

type Outcome = MessageAttempt["outcome"];
type ErrorCode = Extract<Outcome, { kind: "refused" }>["error"]["code"];

export const CONSECUTIVE_FAILURES = 10;
/** More than half of this many sends pause it too: a provider may fail intermittently. */
export const RECENT_SENDS = 100;
export const MAX_RECENT_FAILURES = RECENT_SENDS / 2;

export const TOO_MANY_FAILURES = "too_many_failures";

/** Such failures neither count nor end a run, because the next recipient may be reachable. */
const isAboutRecipient: Record<ErrorCode, boolean> = {
  invalid_recipient: true,
  undeliverable: true,
  frequency_capped: true,
  window_closed: true,
  unsubscribed: true,
  template_rejected: false,
  rate_limited: false,
  account_blocked: false,
  provider_unreachable: false,
  provider_rejected: false,
  unsupported_message: false,
  unreachable: true,
  media_invalid: false,
};

export interface SendAttempt {
  outcome: Outcome;
  isLast: boolean;
}

/** Null for an attempt that is not a failure of the campaign. Later statuses do not count, because they arrive in any order. */
export function countedFailure({ outcome, isLast }: SendAttempt) {
  const isFailure = outcome.kind === "lost" || outcome.kind === "refused" || (outcome.kind === "retry" && isLast);
  return isFailure && !isAboutRecipient[outcome.error.code] ? outcome.error.code : null;
}

export type CountedFailure = Exclude<ReturnType<typeof countedFailure>, null>;

/** Results of sends as stored: one digit each, the latest last. */
export type SendResults = string;

export const FAILURE = "1";
export const SUCCESS = "0";

export function resultDigit(attempt: SendAttempt): SendResults {
  if (attempt.outcome.kind === "accepted") return SUCCESS;
  return countedFailure(attempt) === null ? "" : FAILURE;
}

/** The results that can be in one run with the next ones. */
export const resultsBefore = (earlier: SendResults): SendResults => earlier.slice(-(CONSECUTIVE_FAILURES - 1));

/** Whether a run of failures ends within `results`, which follow `earlier`. */
export const hasFailureRun = (earlier: SendResults, results: SendResults): boolean =>
  (resultsBefore(earlier) + results).includes(FAILURE.repeat(CONSECUTIVE_FAILURES));

export interface LeaseHealth {
  results: SendResults;
  failure: CountedFailure | null;
  /** The reason to stop the campaign whatever the results, or null. */
  stop: string | null;
}
