// How long messages wait for a retry, a file or a quoted message. Pure functions. Times in ms.

/** The maximum number of calls for a message that the provider refuses temporarily. */
const MAX_ATTEMPTS = 6;

/** Attempts are counted from 1. */
export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/** The wait after attempts one to five is 1, 4, 16, 64 and 256 s. `chance` from 0 to 1 varies the wait by ±25 %. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** The time of the retry after `attempt`: after the backoff, and not before the time that the provider requested. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, requestedMs = 0 }: { now: number; chance: number; requestedMs?: number | undefined },
): number => Math.round(now + Math.max(requestedMs, backoffMs(attempt, chance)));

/** A stored file queues its thread again. If this job is lost, the message is checked after this time. */
export const FETCH_WAIT_MS = 60_000;
/** How often a claimed message checks a file that is still being fetched. */
export const FILE_POLL_MS = 5000;

/** How long a reply waits until the quoted message is sent. After this time, the reply is sent without the quote. */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
