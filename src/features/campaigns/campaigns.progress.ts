// A campaign's counts and rate, from its stored numbers. Pure. The stored counts change in messages/settle/campaign-counts.sql.ts,
// in the batch that changes the messages.

export interface Tally {
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  skipped: number;
  unknown: number;
}

export interface Counts extends Tally {
  pending: number;
}

export const countNames = ["pending", "sent", "delivered", "read", "failed", "skipped", "unknown"] as const;

interface Progress {
  status: string;
  recipient_count: number;
  /** How many recipients have rows. */
  expanded: number;
  /** Sends that leases were given for, and those of them that are settled. */
  taken: number;
  answered: number;
  /** The reason for which recipients that no lease covers are skipped; null while they are not. */
  rest: string | null;
  tally: Tally;
}

/**
 * Recipients by the furthest state reached; they add up to `recipient_count`. In a campaign that ended early, recipients that no
 * open lease covers count as skipped, though their rows still say queued.
 */
export function countsOf({ status, recipient_count, expanded, taken, answered, rest, tally }: Progress): Counts {
  const settled = Object.values(tally).reduce((sum, count) => sum + count, 0);
  const open = Math.max(recipient_count, expanded) - settled;
  if (status === "failed") return { pending: 0, ...tally };
  if (rest === null) return { pending: open, ...tally };
  const pending = Math.min(open, taken - answered);
  return { pending, ...tally, skipped: tally.skipped + open - pending };
}

/** Counts of recipients' rows; `given_up` are queued ones that their campaign will not send any more. */
export interface RowCounts extends Counts {
  given_up: number;
}

/** The same counts as `countsOf`, from the rows; while the audience is expanded, rows still to come count as well. */
export function countsOfRows(
  { status, recipient_count, expanded, rest, audience_ready_at }: Progress & { audience_ready_at: number | null },
  { given_up, ...counts }: RowCounts,
): Counts {
  const isComplete = status === "failed" || audience_ready_at !== null;
  const toCome = isComplete ? 0 : Math.max(0, recipient_count - expanded);
  return rest === null
    ? { ...counts, pending: counts.pending + toCome }
    : { ...counts, skipped: counts.skipped + given_up + toCome };
}

/** Settled sends are counted per span of so many ms; the rate is that of the last such span. */
export const PACE_SPAN_MS = 10_000;

interface Pace {
  status: string;
  started_at: number | null;
  pace_at: number;
  pace_now: number;
  pace_before: number;
  messages_per_second: number | null;
}

/** Sends per second over the last ten seconds, and the time at which the rest will be sent at that rate. Null unless it runs. */
export function paceOf(
  record: Pace,
  pending: number,
  now: number,
): { perSecond: number | null; endsAt: number | null } {
  const { status, started_at, pace_at, pace_now, pace_before, messages_per_second } = record;
  if (status !== "running" || started_at === null) return { perSecond: null, endsAt: null };
  const spans = (now - pace_at) / PACE_SPAN_MS;
  const counted = spans < 1 ? pace_now + pace_before * (1 - spans) : pace_now * Math.max(0, 2 - spans);
  const seconds = Math.min(PACE_SPAN_MS, Math.max(1000, now - started_at)) / 1000;
  const perSecond = Math.round((10 * counted) / seconds) / 10;
  const expected = perSecond > 0 ? perSecond : messages_per_second;
  return { perSecond, endsAt: expected === null ? null : Math.round(now + (pending * 1000) / expected) };
}
