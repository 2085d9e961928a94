// The retries of queue messages that fail. Pure rules; `max_retries` of each queue is in wrangler.toml.

/** A queue forgets a message after four days: 100 attempts at these delays take two. */
const LONGEST_DELAY_SECONDS = 1800;

/** Doubles with each attempt, up to half an hour. */
export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** Seventeen minutes after the first attempt, and long enough for a deployment to have reached everywhere. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * True where a message that failed is set aside, for people to look at and replay. A failure of the platform does not count:
 * such a message is retried for days, and succeeds by itself.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
