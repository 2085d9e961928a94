// The rules by which a campaign pauses whose sends keep failing. `settleLease` pauses it, with these rules built into its statement by
// lease/circuit-breaker.sql.ts: other leases add results meanwhile. Tests compare the statement with `pauseReason`. Pure.
import type { MessageAttempt } from "../messages/settle/settle-messages.ts";

type Outcome = MessageAttempt["outcome"];
type ErrorCode = Extract<Outcome, { kind: "refused" }>["error"]["code"];

/** So many failures one after the other pause a campaign, however small it is. */
export const CONSECUTIVE_FAILURES = 10;
/** A provider that fails now and then is noticed by a longer look back: more than half of so many sends. */
export const RECENT_SENDS = 100;
export const MAX_RECENT_FAILURES = RECENT_SENDS / 2;

/** The `last_error` of a campaign with too many failures among its recent sends: they may have different causes. */
export const TOO_MANY_FAILURES = "too_many_failures";

/** Failures of one recipient neither count nor end a run of failures: the next recipient may well be reached. */
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

/** One attempt to send; `isLast` where no other follows it. */
export interface SendAttempt {
  outcome: Outcome;
  isLast: boolean;
}

/**
 * The error code with which an attempt counts as a failure of the campaign, or null. A lost answer counts; a transient refusal
 * counts at its last attempt only. Failures that statuses report later do not: they come long after their sends and in any
 * order, so they form no run of failures, and one that concerns the account stops the connection by its notice.
 */
export function countedFailure({ outcome, isLast }: SendAttempt) {
  const isFailure = outcome.kind === "lost" || outcome.kind === "refused" || (outcome.kind === "retry" && isLast);
  return isFailure && !isAboutRecipient[outcome.error.code] ? outcome.error.code : null;
}

export type CountedFailure = Exclude<ReturnType<typeof countedFailure>, null>;

/** Results of sends as they are stored: a digit each, the last one last. */
export type SendResults = string;

export const FAILURE = "1";
export const SUCCESS = "0";

/** The digit of one attempt; empty where it does not tell how the next send will end. */
export function resultDigit(attempt: SendAttempt): SendResults {
  if (attempt.outcome.kind === "accepted") return SUCCESS;
  return countedFailure(attempt) === null ? "" : FAILURE;
}

/** The part of the earlier results that can be in one run with the next ones. */
export const resultsBefore = (earlier: SendResults): SendResults => earlier.slice(-(CONSECUTIVE_FAILURES - 1));

/** Whether a run of so many failures ends among `results`, which follow `earlier`. */
export const hasFailureRun = (earlier: SendResults, results: SendResults): boolean =>
  (resultsBefore(earlier) + results).includes(FAILURE.repeat(CONSECUTIVE_FAILURES));

/** Whether more than half of the last hundred sends failed. */
export function isMostlyFailing(results: SendResults): boolean {
  const recent = results.slice(-RECENT_SENDS);
  return recent.length === RECENT_SENDS && recent.replaceAll(SUCCESS, "").length > MAX_RECENT_FAILURES;
}

/** A lease's results as the circuit breaker counts them. */
export interface LeaseHealth {
  results: SendResults;
  /** The last failure among the results. */
  failure: CountedFailure | null;
  /** The reason for which the campaign has to stop whatever the results are, or null. */
  stop: string | null;
}

/** The reason to pause a campaign after these sends, as its `last_error`; null where it may go on. */
export function pauseReason(earlier: SendResults, { results, failure, stop }: LeaseHealth): string | null {
  if (stop !== null) return stop;
  if (hasFailureRun(earlier, results)) return failure;
  return isMostlyFailing(earlier + results) ? TOO_MANY_FAILURES : null;
}
