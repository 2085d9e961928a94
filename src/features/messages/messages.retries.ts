// When a message is tried again that a provider did not take. Pure.

const MAX_ATTEMPTS = 6;

/** Whether an attempt, counted from 1, is followed by no other. */
export const isLastAttempt = (attempts: number): boolean => attempts >= MAX_ATTEMPTS;

/** 1, 4, 16, 64, 256 seconds after the first to fifth attempt, each up to a quarter less or more, by `chance` from 0 to 1. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);
