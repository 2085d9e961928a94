// The backoff of messages that a provider did not take for now. Pure. Times in ms.

const MAX_ATTEMPTS = 6;

/** No attempt follows this one, counted from 1. */
export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/** 1, 4, 16, 64, 256 seconds after the first to fifth attempt, each up to a quarter less or more, by `chance` from 0 to 1. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** The time of the attempt after `attempt`: once the backoff has passed, and not before the provider asked for. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, askedMs = 0 }: { now: number; chance: number; askedMs?: number | undefined },
): number => Math.round(now + Math.max(askedMs, backoffMs(attempt, chance)));
