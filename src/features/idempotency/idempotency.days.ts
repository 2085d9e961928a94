// Each replay has a UTC day, so that old replays are found without an index. The clocks of isolates can differ by some
// milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

/** How long a repeat of a request returns its replay. */
export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/** The days that can contain an earlier replay. Tomorrow might already have begun in a different isolate. */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** The oldest day whose replays are kept. In an isolate with a slow clock, yesterday might not have ended. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
