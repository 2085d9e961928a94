// How long messages wait for a retry or for their parts. Pure. Times in ms.

/** Calls to a provider that refuses a message temporarily. */
const MAX_ATTEMPTS = 6;

/** Counted from 1. */
export const isLastAttempt = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/** 1, 4, 16, 64, 256 seconds after attempts one to five, each ±25 % by `chance` from 0 to 1. */
export const backoffMs = (attempt: number, chance: number): number => 1000 * 4 ** (attempt - 1) * (0.75 + chance / 2);

/** When to retry after `attempt`: after the backoff, and not before the time that the provider requested. */
export const nextAttemptTime = (
  attempt: number,
  { now, chance, requestedMs = 0 }: { now: number; chance: number; requestedMs?: number | undefined },
): number => Math.round(now + Math.max(requestedMs, backoffMs(attempt, chance)));

/** A fetched file queues its thread. If that job is lost, the message is checked after this time. */
export const FETCH_WAIT_MS = 60_000;
/** How often a claimed message checks a file that is still being fetched. */
export const FILE_POLL_MS = 5000;

/** How long a reply waits for a quoted message that is not sent yet. After this the reply is sent without the quote. */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
