// The pauses between tests of a provider that cannot be reached. Pure; the statement is built from the same constants.

import { HOUR_MS } from "../../shared/time/durations.ts";

/** Less than the minute between two sweeps, so that one that comes a little early tests too. */
export const SHORTEST_PAUSE_MS = 45_000;
export const LONGEST_PAUSE_MS = HOUR_MS;
/** A pause is that part of the time the provider has been away: the minute's sweep tests each time for the first hour. */
export const SHARE_OF_OUTAGE = 60;

/** The time from one test to the next, by how long the provider has been away. */
export const retestPauseMs = (outageMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.trunc(outageMs / SHARE_OF_OUTAGE)));
