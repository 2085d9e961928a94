// Records are filed by UTC day, so that old ones are found without an index. Isolates' clocks differ by some milliseconds.

import { DAY_MS } from "../../shared/durations.ts";

/** How long a request can be a repeat of another. */
export const REPEATABLE_MS = DAY_MS;

export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** The days in which a record may be that a request is a repeat of. For another isolate tomorrow may have come already. */
export const daysOfRepeats = (now: number): number[] => [dayOf(now) + 1, dayOf(now), dayOf(now) - 1];

/** The first day whose records are kept: yesterday's are needed where today has come, and the day before where it has not. */
export const oldestDayKept = (now: number): number => dayOf(now) - 2;
