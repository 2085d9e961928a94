// What a campaign's stored numbers mean. Pure.

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

interface Progress {
  status: string;
  recipient_count: number;
  taken: number;
  answered: number;
  rest: string | null;
  tally: Tally;
}

/**
 * Recipients by the furthest state reached; they add up to `recipient_count`. Of a campaign that came to an early end, those
 * that nobody is sending to are skipped, without their rows saying so.
 */
export function countsOf({ status, recipient_count, taken, answered, rest, tally }: Progress): Counts {
  const settled = Object.values(tally).reduce((sum, count) => sum + count, 0);
  const open = Math.max(0, recipient_count - settled);
  if (status === "failed") return { pending: 0, ...tally };
  if (rest === null) return { pending: open, ...tally };
  const pending = Math.min(open, taken - answered);
  return { pending, ...tally, skipped: tally.skipped + open - pending };
}

/** How long a stretch is that sends are counted in. */
export const STRETCH_MS = 10_000;

interface Pace {
  status: string;
  started_at: number | null;
  pace_at: number;
  pace_now: number;
  pace_before: number;
  messages_per_second: number | null;
}

/** Sends a second over the last ten, and when the rest will be done at that rate, in ms since the epoch. Null unless it runs. */
export function paceOf(
  record: Pace,
  pending: number,
  now: number,
): { perSecond: number | null; endsAt: number | null } {
  const { status, started_at, pace_at, pace_now, pace_before, messages_per_second } = record;
  if (status !== "running" || started_at === null) return { perSecond: null, endsAt: null };
  const stretches = (now - pace_at) / STRETCH_MS;
  const counted = stretches < 1 ? pace_now + pace_before * (1 - stretches) : pace_now * Math.max(0, 2 - stretches);
  const seconds = Math.min(STRETCH_MS, Math.max(1000, now - started_at)) / 1000;
  const perSecond = Math.round((10 * counted) / seconds) / 10;
  const expected = perSecond > 0 ? perSecond : messages_per_second;
  return { perSecond, endsAt: expected === null ? null : Math.round(now + (pending * 1000) / expected) };
}
