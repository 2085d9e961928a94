import type { CampaignRecord, Tally } from "./campaigns.schemas.ts";

export interface Counts extends Tally {
  pending: number;
}

interface Progress extends Pick<
  CampaignRecord,
  "recipient_count" | "expanded" | "taken" | "answered" | "rest" | "tally"
> {
  status: string;
}

/**
 * The counts add up to `recipient_count`. If a campaign ends early, the rows of the remaining recipients stay `queued`,
 * but these recipients count as skipped. Recipients in an open lease count as pending.
 */
export function countsOf({ status, recipient_count, expanded, taken, answered, rest, tally }: Progress): Counts {
  const settled = Object.values(tally).reduce((sum, count) => sum + count, 0);
  const open = Math.max(recipient_count, expanded) - settled;
  if (status === "failed") return { pending: 0, ...tally };
  if (rest === null) return { pending: open, ...tally };
  const pending = Math.min(open, taken - answered);
  return { pending, ...tally, skipped: tally.skipped + open - pending };
}

/** `given_up` is the number of recipients whose rows are still `queued` after the campaign has ended. */
interface RowCounts extends Counts {
  given_up: number;
}

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

export const PACE_SPAN_MS = 10_000;

interface Pace extends Pick<
  CampaignRecord,
  "started_at" | "pace_at" | "pace_now" | "pace_before" | "messages_per_second"
> {
  status: string;
}

/** `perSecond` is the average over the last ten seconds. */
export function paceOf(record: Pace, pending: number, now: number) {
  const { status, started_at, pace_at, pace_now, pace_before, messages_per_second } = record;
  if (status !== "running" || started_at === null) return { perSecond: null, endsAt: null };
  const spans = (now - pace_at) / PACE_SPAN_MS;
  const counted = spans < 1 ? pace_now + pace_before * (1 - spans) : pace_now * Math.max(0, 2 - spans);
  const seconds = Math.min(PACE_SPAN_MS, Math.max(1000, now - started_at)) / 1000;
  const perSecond = Math.round((10 * counted) / seconds) / 10;
  const expected = perSecond > 0 ? perSecond : messages_per_second;
  return { perSecond, endsAt: expected === null ? null : Math.round(now + (pending * 1000) / expected) };
}
