// Computes how long messages wait for a retry, a file or a quoted message. Times are in ms.

/** The maximum number of calls for one message that the provider refuses temporarily. */
const MAX_ATTEMPTS = 6;

export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/** Returns 1, 4, 16, 64 or 256 s after attempts 1 to 5. `chance`, from 0 to 1, varies the result by ±25 %. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** Returns the time of the next attempt: after the backoff, and not before the time that the provider requested. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, requestedMs = 0 }: { now: number; chance: number; requestedMs?: number | undefined },
): number => Math.round(now + Math.max(requestedMs, backoffMs(attempt, chance)));

/** A stored file queues its thread again. If this job is lost, the message checks the file after this time. */
export const FETCH_WAIT_MS = 60_000;
/** A claimed message checks its pending file at this interval. */
export const FILE_POLL_MS = 5000;

/** A reply waits this long for the quoted message to be sent. After that, the reply is sent without the quote. */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
