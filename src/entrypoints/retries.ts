// How long queue messages that fail are retried. Pure rules; `max_retries` of each queue is in wrangler.toml.

/** A queue forgets a message after four days: 100 attempts at these delays take two. */
const LONGEST_DELAY_SECONDS = 1800;

/** Doubles with each attempt, up to half an hour. */
export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** Seventeen minutes after the first attempt, and long enough for a deployment to have reached everywhere. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * Whether a message that failed again is set aside, for people to look at and replay. One that the platform may have failed is
 * not: it goes on being retried for days, and heals by itself.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
