// The key of a replay includes a UTC day, so that old replays are found without an index. The clocks of isolates differ
// by some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

/** How long a replay is returned to repeats of a request. */
export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/**
 * The days that can contain an earlier replay. Includes tomorrow, because it can already have begun in another isolate.
 */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** The first day whose replays are kept. An isolate whose clock still shows yesterday needs one more day. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
