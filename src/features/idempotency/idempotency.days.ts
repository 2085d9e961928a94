// Replays have a UTC day, so that old ones are found without an index. Isolates' clocks differ by some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

/** How long a repeat of a request returns its replay. */
export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/** The days that may contain an earlier replay. Includes tomorrow, which may have begun in another isolate. */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** The first day to keep. An isolate that is still in yesterday needs one day more. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
