import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** If a member opens more pages than this, these pages poll instead. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** In characters. The longest message of our script is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
export const MAX_MESSAGES_PER_SECOND = 10;

/**
 * Pages send a ping every 25 s, and the platform replies while the object sleeps. We close a socket that is silent for
 * this time.
 */
export const SILENCE_MS = 80 * SECOND_MS;

export const REST_MS = 200;
export const MAX_CHANGES = 1000;
/** If there are more changes, pages refresh all live parts. */
export const MAX_CHANGES_PUSHED = 100;

export const CHECK_MS = 2 * MINUTE_MS;
export const LISTEN_MS = 20 * MINUTE_MS;

/**
 * Members often open the next page immediately, so the object follows the log for this time after the last page is
 * closed.
 */
export const LINGER_MS = 5 * SECOND_MS;

/** Custom codes begin at 4000. Pages reconnect unless their session or membership has ended. */
export const closeCodes = {
  sessionEnded: 4001,
  membershipEnded: 4003,
  roleChanged: 4009,
  silent: 4008,
  unknownMessage: 1003,
  tooManyMessages: 1008,
  tooLong: 1009,
  unavailable: 1013,
} as const;

export type CloseReason = keyof typeof closeCodes;
