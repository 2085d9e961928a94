// Each replay stores its UTC day, so that we find old replays without an index. The clocks of isolates can differ by
// some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/** Tomorrow might already have begun in a different isolate. */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** In an isolate with a slow clock, yesterday might not have ended. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
