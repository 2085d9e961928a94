// A replay is the stored result of a request with an Idempotency-Key. Its key in the table begins with its UTC day, so
// that old replays are found without another index. The clocks of isolates differ by some milliseconds, so around
// midnight two isolates can disagree about the day.

import { DAY_MS } from "../../shared/time/durations.ts";

export const REPEATABLE_MS = DAY_MS;

export const utcDay = (now: number): number => Math.floor(now / DAY_MS);

/**
 * A replay that is still valid was stored on one of these days. They include tomorrow, because tomorrow can already
 * have begun in another isolate.
 */
export const daysWithReplays = (now: number): number[] => [utcDay(now) + 1, utcDay(now), utcDay(now) - 1];

/**
 * Replays of earlier days are deleted. Replays of the day before yesterday are kept, because they can still be valid in
 * an isolate whose clock is slow and still shows yesterday.
 */
export const oldestDayKept = (now: number): number => utcDay(now) - 2;
