// The pauses between tests of an unreachable provider. Pure; the SQL uses the same constants.

import { HOUR_MS } from "../../shared/time/durations.ts";

/** Less than the minute between two sweeps, so that a sweep that is a little early also tests. */
export const SHORTEST_PAUSE_MS = 45_000;
export const LONGEST_PAUSE_MS = HOUR_MS;
/** A pause is the outage divided by this number, so every sweep of the first hour runs a test. */
export const SHARE_OF_OUTAGE = 60;

/** The pause before the next test, by the length of the outage. */
export const retestPauseMs = (outageMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.trunc(outageMs / SHARE_OF_OUTAGE)));
