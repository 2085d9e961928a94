import { DAY_MS, HOUR_MS } from "../../../shared/time/durations.ts";
import { TIMELINE_SPAN_MS } from "../../messages/settle/campaign-counts.sql.ts";
import type { Tally } from "../campaigns.schemas.ts";

export interface CampaignRates {
  delivered: number;
  read: number;
  failed: number;
}

export function ratesOf({ sent, delivered, read, failed, unknown }: Tally): CampaignRates | null {
  const attempted = sent + delivered + read + failed + unknown;
  if (attempted === 0) return null;
  return { delivered: (delivered + read) / attempted, read: read / attempted, failed: failed / attempted };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [below = 0, above = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}

export function medianRates(tallies: readonly Tally[]): (CampaignRates & { campaigns: number }) | null {
  const rates = tallies.map(ratesOf).filter((each) => each !== null);
  if (rates.length === 0) return null;
  const medianOf = (name: keyof CampaignRates) => median(rates.map((each) => each[name]));
  return {
    campaigns: rates.length,
    delivered: medianOf("delivered"),
    read: medianOf("read"),
    failed: medianOf("failed"),
  };
}

export const timelineStates = ["sent", "delivered", "read", "failed"] as const;

interface TimelineStep {
  at: number;
  counts: number[];
}

export interface Timeline {
  stepMs: number;
  steps: TimelineStep[];
}

const MAX_STEPS = 48;
const STEP_SIZES = [TIMELINE_SPAN_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

/**
 * The keys of `counts` are `<span> <state>`, where `span` is a number of ten-minute spans since the epoch. Returns
 * steps of equal length without gaps. The length is the shortest that needs at most `MAX_STEPS` steps, or a day.
 */
export function readTimeline(counts: Record<string, number>): Timeline {
  const entries = Object.entries(counts).flatMap(([key, count]) => {
    const [span, state] = key.split(" ");
    const index = timelineStates.findIndex((each) => each === state);
    return count > 0 && index >= 0 ? [{ at: Number(span) * TIMELINE_SPAN_MS, index, count }] : [];
  });
  const times = entries.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const stepMs = STEP_SIZES.find((size) => (last - first) / size < MAX_STEPS) ?? DAY_MS;
  const startOf = (at: number) => at - (at % stepMs);
  const steps: TimelineStep[] = [];
  if (entries.length === 0) return { stepMs, steps };
  for (let at = startOf(first); at <= last; at += stepMs) steps.push({ at, counts: timelineStates.map(() => 0) });
  for (const { at, index, count } of entries) {
    const step = steps[(startOf(at) - startOf(first)) / stepMs];
    if (step !== undefined) step.counts[index] = (step.counts[index] ?? 0) + count;
  }
  return { stepMs, steps };
}
