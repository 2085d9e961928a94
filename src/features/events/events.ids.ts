// Many events share one row, so the id of an event must say where to find it. It contains the time, the end of the
// workspace's id, and the sequence number.
import { decodeTime, encodeTime } from "ulidx";
import { ID_DIGITS } from "../../shared/ids.ts";

const TIME_LENGTH = 10;
const SEQUENCE_LENGTH = 10;

/** Sequence number 0 is the position before the first event. `at` is in ms since the epoch. */
export interface EventPosition {
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

const workspaceMark = (workspaceId: string): string => workspaceId.slice(-6).toLowerCase();

/** After `evt_`, an id has 26 characters, like a ULID. Ids sort by time and then by sequence number. */
export const eventId = (workspaceId: string, { sequence, at }: EventPosition): string =>
  `evt_${encodeTime(at, TIME_LENGTH).toLowerCase()}${workspaceMark(workspaceId)}${encodeSequence(sequence)}`;

/** Returns null if the id is malformed or belongs to another workspace. Does not check that the event exists. */
export function readEventId(workspaceId: string, id: string): EventPosition | null {
  const match = /^evt_([0-7][0-9a-hjkmnp-tv-z]{9})([0-9a-hjkmnp-tv-z]{6})([0-9a-hjkmnp-tv-z]{10})$/.exec(id);
  if (match === null || match[2] !== workspaceMark(workspaceId)) return null;
  const [, time = "", , sequence = ""] = match;
  const position = { sequence: decodeSequence(sequence), at: decodeTime(`${time}0000000000000000`.toUpperCase()) };
  return Number.isSafeInteger(position.sequence) ? position : null;
}
