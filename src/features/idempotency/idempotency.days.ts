// Each replay stores its UTC day, so that old replays are found without an index. Days are compared with a tolerance,
// because the clocks of isolates differ by some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/**
 * The days on which a valid replay can be stored. They include tomorrow, because tomorrow can already have begun in
 * another isolate.
 */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/**
 * The oldest day whose replays must be kept. In an isolate with a slow clock, it can still be yesterday, and replays of
 * the day before are then still valid.
 */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
