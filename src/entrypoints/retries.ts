// Retries of failed queue messages. Pure; wrangler.toml sets `max_retries` of each queue.

/** A queue deletes a message after four days. 100 attempts with these delays take two days. */
const LONGEST_DELAY_SECONDS = 1800;

/** The delay doubles with each attempt, up to half an hour. */
export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** This attempt is seventeen minutes after the first. In this time, a deployment reaches every location. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * True if a failed message is set aside, so that people can inspect and replay it. After a failure of the platform, a
 * message is retried for days instead.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
