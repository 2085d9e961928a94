// Retries of failed queue messages. Pure; wrangler.toml sets `max_retries` of each queue.

/** A queue drops a message after four days; 100 attempts with these delays take two. */
const LONGEST_DELAY_SECONDS = 1800;

/** Doubles with each attempt, up to half an hour. */
export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** Seventeen minutes after the first attempt: long enough for a deployment to reach every location. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * True if a failed message is set aside for people to inspect and replay. A failure of the platform does not count: the message
 * is retried for days.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
