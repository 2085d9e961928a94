// Records are filed by UTC day, so that old ones are found without an index. Isolates' clocks differ by some milliseconds.

import { DAY_MS } from "../../shared/time/durations.ts";

/** How long a request can be a repeat of another. */
export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/** The days that may hold the record of an earlier request; tomorrow too, which may have begun for another isolate. */
export const daysWithRepeats = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/** The first day whose records are kept: an isolate for which today has not begun still needs the day before yesterday. */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
