/** A queue deletes a message after four days. With these delays, 100 attempts take two days. */
const LONGEST_DELAY_SECONDS = 1800;

export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/** The tenth attempt is seventeen minutes after the first. By then, a new deployment runs everywhere. */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * Somebody can inspect and replay a message that was set aside. If the platform failed, the message is
 * retried for days instead.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
