// wrangler.toml sets `max_retries` of each queue.

/** A queue deletes a message after four days. 100 attempts with these delays take two days. */
const LONGEST_DELAY_SECONDS = 1800;

export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** This attempt is seventeen minutes after the first. In this time, a deployment reaches every location. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * True if a failed message is set aside, so that people can inspect and replay it. If the platform failed, the message
 * is retried for days instead.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
