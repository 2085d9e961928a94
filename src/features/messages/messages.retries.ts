// Backoff of messages that a provider refused temporarily. Pure. Times in ms.

const MAX_ATTEMPTS = 6;

/** Counted from 1. */
export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/** 1, 4, 16, 64, 256 seconds after attempts one to five, each ±25 % by `chance` from 0 to 1. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** When to retry after `attempt`: after the backoff, and not before the time that the provider requested. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, askedMs = 0 }: { now: number; chance: number; askedMs?: number | undefined },
): number => Math.round(now + Math.max(askedMs, backoffMs(attempt, chance)));
