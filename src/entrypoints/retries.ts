/**
 * With this longest delay, 100 attempts take two days. A queue deletes a message after four days, so none is
 * deleted before its last attempt.
 */
const LONGEST_DELAY_SECONDS = 1800;

export const retryDelaySeconds = (attempts: number): number => Math.min(LONGEST_DELAY_SECONDS, 2 ** attempts);

/**
 * The tenth attempt is 17 minutes after the first. If a failure is fixed by a new deployment, that deployment
 * runs everywhere by this time.
 */
const SET_ASIDE_AT_ATTEMPT = 10;

/**
 * A message that was set aside can be inspected and replayed by the operator. If the platform caused the
 * failure, the message is not set aside but retried for days.
 */
export const isSetAside = (attempts: number, byPlatform: boolean): boolean =>
  !byPlatform && attempts >= SET_ASIDE_AT_ATTEMPT;
