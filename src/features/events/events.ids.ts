// An event is no row of its own, so its id is made from what places it: time, workspace and sequence number.
import { decodeTime, encodeTime } from "ulidx";
import { ID_DIGITS } from "../../shared/ids.ts";

const TIME_LENGTH = 10;
const SEQUENCE_LENGTH = 10;

/** The place of an event in the log of a workspace, or that before its first event, 0. `at` in ms since the epoch. */
export interface EventPlace {
  sequence: number;
  at: number;
}

function encodeSequence(sequence: number): string {
  let text = "";
  for (let rest = sequence; text.length < SEQUENCE_LENGTH; rest = Math.floor(rest / ID_DIGITS.length)) {
    text = ID_DIGITS.charAt(rest % ID_DIGITS.length) + text;
  }
  return text;
}

const decodeSequence = (text: string): number =>
  [...text].reduce((sum, digit) => sum * ID_DIGITS.length + ID_DIGITS.indexOf(digit), 0);

/** The end of a workspace's id, by which ids of other workspaces' events are recognised. */
const workspaceMark = (workspaceId: string): string => workspaceId.slice(-6).toLowerCase();

/** `evt_` and 26 characters that sort by time and then by sequence number, as a ULID's. */
export const eventId = (workspaceId: string, { sequence, at }: EventPlace): string =>
  `evt_${encodeTime(at, TIME_LENGTH).toLowerCase()}${workspaceMark(workspaceId)}${encodeSequence(sequence)}`;

/** The place that an id names, or null where it is none of this workspace. The event itself may not exist. */
export function readEventId(workspaceId: string, id: string): EventPlace | null {
  const match = /^evt_([0-7][0-9a-hjkmnp-tv-z]{9})([0-9a-hjkmnp-tv-z]{6})([0-9a-hjkmnp-tv-z]{10})$/.exec(id);
  if (match === null || match[2] !== workspaceMark(workspaceId)) return null;
  const [, time = "", , sequence = ""] = match;
  const place = { sequence: decodeSequence(sequence), at: decodeTime(`${time}0000000000000000`.toUpperCase()) };
  return Number.isSafeInteger(place.sequence) ? place : null;
}
