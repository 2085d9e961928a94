// When a campaign's sends go so badly that it pauses by itself. Pure; campaign-health.repository.ts says the same in SQL.
import type { Attempted } from "../messages/settle/settle-messages.ts";

type Outcome = Attempted["outcome"];
type ErrorCode = Extract<Outcome, { kind: "refused" }>["error"]["code"];

/** So many failures in a row pause a campaign, however small it is. */
export const FAILURES_IN_ROW = 10;
/** A provider that fails now and then is noticed by a longer look back: more than half of so many sends. */
export const LOOK_BACK = 100;
export const MOST_FAILURES = LOOK_BACK / 2;

/** Whether a failure tells of that person only. It then neither counts nor ends a row: the next person may well be reached. */
const concernsPerson: Record<ErrorCode, boolean> = {
  invalid_recipient: true,
  undeliverable: true,
  window_closed: true,
  unsubscribed: true,
  template_rejected: false,
  rate_limited: false,
  account_blocked: false,
  provider_unreachable: false,
  provider_rejected: false,
};

/**
 * The failure that a send adds to a campaign's record, if it does. A lost answer is one. A refusal that may be tried again is
 * none before its last attempt. Failures that statuses report later are none: they come in any order and long after the
 * sends they are of, so that nothing is in a row with them; one that is of the account stops the connection by its notice.
 */
export function failureOf({ outcome, isLast }: { outcome: Outcome; isLast: boolean }) {
  const isFailure = outcome.kind === "lost" || outcome.kind === "refused" || (outcome.kind === "retry" && isLast);
  return isFailure && !concernsPerson[outcome.error.code] ? outcome.error.code : null;
}

export type Failure = Exclude<ReturnType<typeof failureOf>, null>;

/** How sends ended, the last one last: "1" a failure that counts, "0" a success. */
export type Marks = string;

export const FAILURE = "1";
export const SUCCESS = "0";

/** The mark of one send; empty where it says nothing of how the next will end. */
export function markOf(attempt: Parameters<typeof failureOf>[0]): Marks {
  if (attempt.outcome.kind === "accepted") return SUCCESS;
  return failureOf(attempt) === null ? "" : FAILURE;
}

/** What of the earlier marks can be in a row with the next ones. */
export const rowBefore = (earlier: Marks): Marks => earlier.slice(-(FAILURES_IN_ROW - 1));

/** Whether so many failures in a row end among `marks`, which follow `earlier`. */
export const hasRow = (earlier: Marks, marks: Marks): boolean =>
  (rowBefore(earlier) + marks).includes(FAILURE.repeat(FAILURES_IN_ROW));

/** Whether more than half of the last hundred are failures. */
export function isMostlyFailing(marks: Marks): boolean {
  const recent = marks.slice(-LOOK_BACK);
  return recent.length === LOOK_BACK && recent.replaceAll(SUCCESS, "").length > MOST_FAILURES;
}
