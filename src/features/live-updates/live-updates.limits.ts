// How many sockets a workspace may have, and how they are kept. Pure.
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** Pages that a member has open at a time; the others poll. */
export const MAX_SOCKETS_OF_MEMBER = 20;
export const MAX_SOCKETS = 1000;

/** In characters, for messages from pages. The longest one that our script sends is half as long. */
export const MAX_MESSAGE_LENGTH = 200;
/** For each socket. */
export const MAX_MESSAGES_PER_SECOND = 10;

/** A socket is closed after this without a ping. Pages send one every 25 s, which the platform answers without waking the object. */
export const SILENCE_MS = 80 * SECOND_MS;

/** The pause between two reads of the log: five reads a second at most, however much happens. */
export const REST_MS = 200;
/** Changes that one read looks at. Where there are more, pages are told that anything may have changed. */
export const MAX_CHANGES = 1000;
/** Changes in one message; beyond it, pages are told that anything may have changed. */
export const MAX_CHANGES_PUSHED = 100;

/** The pause between two checks of sockets, sessions and roles. */
export const CHECK_MS = 2 * MINUTE_MS;
/** How long one registration at the log lasts. */
export const LISTEN_MS = 20 * MINUTE_MS;

/** How long the object goes on following the log after the last page has gone. */
export const LINGER_MS = 5 * SECOND_MS;

/** Why a socket is closed. Codes from 4000 on are our own. Pages connect again, except after the end of a session or a membership. */
export const closeCodes = {
  sessionEnded: 4001,
  membershipEnded: 4003,
  /** With the role changes what the page may hear of. */
  roleChanged: 4009,
  silent: 4008,
  unknownMessage: 1003,
  tooManyMessages: 1008,
  tooLong: 1009,
  unavailable: 1013,
} as const;

export type CloseReason = keyof typeof closeCodes;
