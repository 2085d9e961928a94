/** We call the provider at most this many times for a message that it refuses temporarily. */
const MAX_ATTEMPTS = 6;

export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** Computes when to send the message again, but not before the time that the provider requested. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, requestedMs = 0 }: { now: number; chance: number; requestedMs?: number | undefined },
): number => Math.round(now + Math.max(requestedMs, backoffMs(attempt, chance)));

/**
 * When a file is stored, a job wakes the thread that waits for the file. In case the job is lost, the message checks
 * the file after this time.
 */
export const FETCH_WAIT_MS = 60_000;
export const FILE_POLL_MS = 5000;

/**
 * A reply waits at most this long for the quoted message to be sent. After that, the reply is sent without the quote.
 */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
