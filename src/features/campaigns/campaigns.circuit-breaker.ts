// Decides when failing sends pause a campaign. `settleLease` repeats the rules in SQL; a test compares both.
import type { MessageAttempt } from "../messages/settle/settle-messages.ts";

type Outcome = MessageAttempt["outcome"];
type ErrorCode = Extract<Outcome, { kind: "refused" }>["error"]["code"];

export const CONSECUTIVE_FAILURES = 10;
/** More than 50 failures in this many sends also pause the campaign, because a provider can fail intermittently. */
export const RECENT_SENDS = 100;
export const MAX_RECENT_FAILURES = RECENT_SENDS / 2;

export const TOO_MANY_FAILURES = "too_many_failures";

/** A failure that concerns only one recipient does not count and does not end a run of failures. */
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

/** Null if the attempt does not count as a failure. Later statuses do not count, because they arrive in any order. */
export function countedFailure({ outcome, isLast }: SendAttempt) {
  const isFailure = outcome.kind === "lost" || outcome.kind === "refused" || (outcome.kind === "retry" && isLast);
  return isFailure && !isAboutRecipient[outcome.error.code] ? outcome.error.code : null;
}

export type CountedFailure = Exclude<ReturnType<typeof countedFailure>, null>;

/** One digit per send, the latest send last. */
export type SendResults = string;

export const FAILURE = "1";
export const SUCCESS = "0";

export function resultDigit(attempt: SendAttempt): SendResults {
  if (attempt.outcome.kind === "accepted") return SUCCESS;
  return countedFailure(attempt) === null ? "" : FAILURE;
}

/** Returns the end of the earlier results. Only these results can form a run of failures with the next results. */
export const resultsBefore = (earlier: SendResults): SendResults => earlier.slice(-(CONSECUTIVE_FAILURES - 1));

/** True if a run of failures ends within `results`, which follow `earlier`. */
export const hasFailureRun = (earlier: SendResults, results: SendResults): boolean =>
  (resultsBefore(earlier) + results).includes(FAILURE.repeat(CONSECUTIVE_FAILURES));

export interface LeaseHealth {
  results: SendResults;
  failure: CountedFailure | null;
  /** The reason to stop the campaign even if few sends fail. Otherwise null. */
  stop: string | null;
}
