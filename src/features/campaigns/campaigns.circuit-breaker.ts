// `settleLease` repeats these rules in SQL, and a test compares both.
import type { MessageAttempt } from "../messages/settle/settle-messages.ts";

type Outcome = MessageAttempt["outcome"];
type ErrorCode = Extract<Outcome, { kind: "refused" }>["error"]["code"];

export const CONSECUTIVE_FAILURES = 10;
/**
 * Ten failures in a row pause a campaign, but a provider that fails only sometimes may never reach ten. More than 50
 * failures in the last 100 sends therefore also pause the campaign.
 */
export const RECENT_SENDS = 100;
export const MAX_RECENT_FAILURES = RECENT_SENDS / 2;

export const TOO_MANY_FAILURES = "too_many_failures";

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

/**
 * Counts only the provider's response to a send. Later status reports do not count, because they arrive in any order.
 */
export function countedFailure({ outcome, isLast }: SendAttempt) {
  const isFailure = outcome.kind === "lost" || outcome.kind === "refused" || (outcome.kind === "retry" && isLast);
  return isFailure && !isAboutRecipient[outcome.error.code] ? outcome.error.code : null;
}

export type CountedFailure = Exclude<ReturnType<typeof countedFailure>, null>;

export type SendResults = string;

export const FAILURE = "1";
export const SUCCESS = "0";

export function resultDigit(attempt: SendAttempt): SendResults {
  if (attempt.outcome.kind === "accepted") return SUCCESS;
  return countedFailure(attempt) === null ? "" : FAILURE;
}

export const resultsBefore = (earlier: SendResults): SendResults => earlier.slice(-(CONSECUTIVE_FAILURES - 1));

export const hasFailureRun = (earlier: SendResults, results: SendResults): boolean =>
  (resultsBefore(earlier) + results).includes(FAILURE.repeat(CONSECUTIVE_FAILURES));

export interface LeaseHealth {
  results: SendResults;
  failure: CountedFailure | null;
  /** The reason why the campaign must stop, or null. */
  stop: string | null;
}
