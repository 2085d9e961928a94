// A campaign's messages over time, from its stored counts. Pure.
import { DAY_MS, HOUR_MS } from "../../../shared/time/durations.ts";
import { TIMELINE_SPAN_MS } from "../../messages/settle/campaign-counts.sql.ts";

export const timelineStates = ["sent", "delivered", "read", "failed"] as const;

/** How many messages reached each state (in the order of `timelineStates`) in the step that begins at `at` (ms since the epoch). */
interface TimelineStep {
  at: number;
  counts: number[];
}

export interface Timeline {
  /** The length of a step in ms. */
  stepMs: number;
  steps: TimelineStep[];
}

/** The most steps that a chart can show. */
const MAX_STEPS = 48;
const STEP_SIZES = [TIMELINE_SPAN_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

/** Converts counts by "<span> <state>" to equal steps without gaps, as short as fit into one chart. */
export function readTimeline(counts: Record<string, number>): Timeline {
  const entries = Object.entries(counts).flatMap(([key, count]) => {
    const [span, state] = key.split(" ");
    const place = timelineStates.findIndex((each) => each === state);
    return count > 0 && place >= 0 ? [{ at: Number(span) * TIMELINE_SPAN_MS, place, count }] : [];
  });
  const times = entries.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const stepMs = STEP_SIZES.find((size) => (last - first) / size < MAX_STEPS) ?? DAY_MS;
  const startOf = (at: number) => at - (at % stepMs);
  const steps: TimelineStep[] = [];
  if (entries.length === 0) return { stepMs, steps };
  for (let at = startOf(first); at <= last; at += stepMs) steps.push({ at, counts: timelineStates.map(() => 0) });
  for (const { at, place, count } of entries) {
    const step = steps[(startOf(at) - startOf(first)) / stepMs];
    if (step !== undefined) step.counts[place] = (step.counts[place] ?? 0) + count;
  }
  return { stepMs, steps };
}
