import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** More open pages than this have no socket and poll instead. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** In characters. The longest message of our script is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
export const MAX_MESSAGES_PER_SECOND = 10;

/** A socket without a ping for this time is closed. Pages send a ping every 25 s, and the platform responds for the object. */
export const SILENCE_MS = 80 * SECOND_MS;

/** The time between two reads of the log: at most five reads per second. */
export const REST_MS = 200;
/** The maximum number of changes per read. If there are more, pages refresh all live parts. */
export const MAX_CHANGES = 1000;
/** The maximum number of changes per message. If there are more, pages refresh all live parts. */
export const MAX_CHANGES_PUSHED = 100;

/** The time between two checks of sockets, sessions and roles. */
export const CHECK_MS = 2 * MINUTE_MS;
/** The duration of a registration as a listener. */
export const LISTEN_MS = 20 * MINUTE_MS;

/** After the last page is closed, the object follows the log for this time. */
export const LINGER_MS = 5 * SECOND_MS;

/** Our own codes begin at 4000. Pages reconnect unless their session or membership has ended. */
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
