/**
 * With this longest delay, 100 attempts take two days. A queue deletes a message after four days, so none is
 * deleted before its last attempt.
 */
const LONGEST_DELAY_SECONDS = 1800;

export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/**
 * The tenth attempt is 17 minutes after the first. A deployment that fixes the failure reaches all locations within
 * this time.
 */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * The operator can inspect and replay a message that was set aside. If the platform caused the failure, the queue
 * retries the message for days instead.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
