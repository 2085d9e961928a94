/** We call the provider at most this many times for a message that it refuses temporarily. */
const MAX_ATTEMPTS = 6;

export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

export const nextAttemptTime = (
  attempt: number,
  { now, chance, requestedMs = 0 }: { now: number; chance: number; requestedMs?: number | undefined },
): number => Math.round(now + Math.max(requestedMs, backoffMs(attempt, chance)));

/**
 * A message with a file from a URL becomes due after this time. Usually a job sends it earlier, as soon as the file is
 * stored, but that job can get lost.
 */
export const FETCH_WAIT_MS = 60_000;
export const FILE_POLL_MS = 5000;

/**
 * A reply waits at most this long for the quoted message to be sent. After that, the reply is sent without the quote.
 */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
