/** A queue deletes a message after four days. With this longest delay, all 100 attempts take two days. */
const LONGEST_DELAY_SECONDS = 1800;

export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/**
 * The tenth attempt is seventeen minutes after the first, when a new deployment that may fix the failure
 * runs everywhere.
 */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * A message that was set aside can be inspected and replayed. If the platform caused the failure, the
 * message is retried for days instead.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
