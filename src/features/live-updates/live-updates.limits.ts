import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** A member's pages beyond this number get no socket and poll instead. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/**
 * The maximum length, in characters, of a message that a page sends. Our script's messages are at most half as long.
 */
export const MAX_MESSAGE_LENGTH = 200;
export const MAX_MESSAGES_PER_SECOND = 10;

/**
 * Pages send a ping every 25 s, so we close a socket after this silence. The platform replies to pings without waking
 * the object.
 */
export const SILENCE_MS = 80 * SECOND_MS;

export const REST_MS = 200;
export const MAX_CHANGES = 1000;
/** After more changes than this, pages refresh all live parts instead of single parts. */
export const MAX_CHANGES_PUSHED = 100;

export const CHECK_MS = 2 * MINUTE_MS;
export const LISTEN_MS = 20 * MINUTE_MS;

/**
 * The object follows the log for this time after the last page is closed, because members often open the next page
 * immediately.
 */
export const LINGER_MS = 5 * SECOND_MS;

/**
 * Close codes of applications begin at 4000. Pages reconnect unless the code means that their session or membership has
 * ended.
 */
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
