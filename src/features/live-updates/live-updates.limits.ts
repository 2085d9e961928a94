// How many sockets a workspace may have, and how they are kept. Pure.
import { MINUTE_MS, SECOND_MS } from "../../shared/durations.ts";

/** Pages that a member has open at a time; the others poll. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** The longest message of a page, in characters. One that it has reason to send is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
/** Messages of one socket. */
export const MAX_MESSAGES_PER_SECOND = 10;

/** Pages send a ping every 25 s, which the platform answers without waking the object. */
export const SILENCE_MS = 80 * SECOND_MS;

/** Between two reads of the log: five reads a second at most, however much happens. */
export const REST_MS = 200;
/** Changes that one read looks at. Where there are more, pages are told that anything may have changed. */
export const MAX_CHANGES = 1000;
/** Changes in one message; beyond it, pages are told that anything may have changed. */
export const MAX_CHANGES_PUSHED = 100;

/** Between two looks at who is still there and still may be. */
export const CHECK_MS = 2 * MINUTE_MS;
/** The object is woken by the log for so long. */
export const LISTEN_MS = 20 * MINUTE_MS;

/** The log is left so long after the last page has gone. */
export const LINGER_MS = 5 * SECOND_MS;

/** Why a socket is closed. From 4000 on the codes are our own; pages connect again except after the first two. */
export const closeCodes = {
  sessionEnded: 4001,
  membershipEnded: 4003,
  /** The member's role has changed, and with it what they may see: the page connects again. */
  roleChanged: 4009,
  silent: 4008,
  unknownMessage: 1003,
  tooManyMessages: 1008,
  tooLong: 1009,
  unavailable: 1013,
} as const;

export type CloseReason = keyof typeof closeCodes;
