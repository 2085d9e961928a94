// Limits of a workspace's sockets. Pure.
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** Further pages poll. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** The longest message of our script is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
export const MAX_MESSAGES_PER_SECOND = 10;

/** Pages ping every 25 s, and the platform responds without waking the object. */
export const SILENCE_MS = 80 * SECOND_MS;

/** Limits reads of the log to five per second. */
export const REST_MS = 200;
/** Per read. If there are more, pages refresh all live parts. */
export const MAX_CHANGES = 1000;
/** Per message. If there are more, pages refresh all live parts. */
export const MAX_CHANGES_PUSHED = 100;

/** Between checks of sockets, sessions and roles. */
export const CHECK_MS = 2 * MINUTE_MS;
/** Of a registration as a listener. */
export const LISTEN_MS = 20 * MINUTE_MS;

/** The object follows the log this long after the last page has closed. */
export const LINGER_MS = 5 * SECOND_MS;

/** Our own codes begin at 4000. Pages reconnect, unless the session or the membership has ended. */
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
