// Each replay has a UTC day, so that old replays are found without an index. The clocks of isolates differ by some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

/** How long a repeat of a request returns its replay. */
export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/** The days that can contain an earlier replay. Includes tomorrow, which might already have begun in another isolate. */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** The oldest day whose replays are kept. An isolate in which yesterday has not ended needs one more day. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
