// Limits of a workspace's sockets. Pure.
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** The most open pages of a member with a socket. Further pages poll. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** Characters of a message from a page. The longest message of our script is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
/** Per socket. */
export const MAX_MESSAGES_PER_SECOND = 10;

/**
 * A socket without a ping for this long is closed. Pages send one every 25 s, and the platform responds without waking the object.
 */
export const SILENCE_MS = 80 * SECOND_MS;

/** The pause between two reads of the log, which limits them to five per second. */
export const REST_MS = 200;
/** The most changes of one read. If there are more, pages refresh all live parts. */
export const MAX_CHANGES = 1000;
/** The most changes in one message. If there are more, pages refresh all live parts. */
export const MAX_CHANGES_PUSHED = 100;

/** The pause between two checks of sockets, sessions and roles. */
export const CHECK_MS = 2 * MINUTE_MS;
/** How long a registration as a listener lasts. */
export const LISTEN_MS = 20 * MINUTE_MS;

/** How long the object follows the log after the last page has closed. */
export const LINGER_MS = 5 * SECOND_MS;

/** Why a socket is closed, with our own codes from 4000. Pages reconnect, unless the session or the membership has ended. */
export const closeCodes = {
  sessionEnded: 4001,
  membershipEnded: 4003,
  /** The role decides which changes the page receives. */
  roleChanged: 4009,
  silent: 4008,
  unknownMessage: 1003,
  tooManyMessages: 1008,
  tooLong: 1009,
  unavailable: 1013,
} as const;

export type CloseReason = keyof typeof closeCodes;
