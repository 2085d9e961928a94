// Texts are user input. Splitting a text must take linear time, so that no text can block the Worker.
import type { Fault } from "../../../shared/errors.ts";
import { hasOwn, isReserved, RESERVED_NAME } from "../../../shared/security/own.ts";

export interface Placeholder {
  name: string;
  fallback: string | null;
}

export type TextPieces = readonly (string | Placeholder)[];

/** Matches `{{` and the text up to the next `{{` or `}}`. The match includes a `}}`, but not a `{{`. */
const PLACEHOLDER = /\{\{((?:(?!\{\{|\}\})[^])*)(\}\})?/g;
const POSITION = /^[1-9]\d*$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/;

const MAX_QUOTED_CHARACTERS = 40;
const MAX_NAMED_POSITIONS = 5;

export const isBlank = (value: string | null | undefined): boolean => (value ?? "").trim() === "";

function quotePlaceholder(content: string, closing = "}}"): string {
  const characters = Array.from(content.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2));
  const isLong = characters.length > MAX_QUOTED_CHARACTERS;
  return JSON.stringify(`{{${characters.slice(0, MAX_QUOTED_CHARACTERS).join("")}${isLong ? "…" : closing}`);
}

const fault = (code: string, message: string): Fault => ({ path: "body", code, message });

function readPlaceholder(content: string): Placeholder | Fault {
  const bar = content.indexOf("|");
  const name = (bar < 0 ? content : content.slice(0, bar)).trim();
  const fallback = bar < 0 ? null : content.slice(bar + 1).trim();
  if (name === "") return fault("empty_variable", `${quotePlaceholder(content)} does not name a variable.`);
  if (/^\d+$/.test(name)) {
    if (!POSITION.test(name))
      return fault("invalid_variable", `${quotePlaceholder(content)}: positions are 1, 2, 3 and so on.`);
    if (fallback !== null) {
      return fault(
        "invalid_variable",
        `${quotePlaceholder(content)}: a position cannot have a fallback. Give the variable a name.`,
      );
    }
    return { name, fallback };
  }
  if (!NAME.test(name)) {
    return fault(
      "invalid_variable",
      `${quotePlaceholder(content)}: a name has 1 to 60 characters of a–z, A–Z, 0–9 and _, and does not start with a digit.`,
    );
  }
  if (isReserved(name)) return fault("invalid_variable", `${quotePlaceholder(content)}: ${RESERVED_NAME}`);
  if (fallback === "")
    return fault("empty_fallback", `${quotePlaceholder(content)} has an empty fallback. Remove the “|”.`);
  return { name, fallback };
}

const placeholdersIn = (pieces: TextPieces): Placeholder[] =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece]));

export function variablesIn(pieces: TextPieces): string[] {
  const names = [...new Set(placeholdersIn(pieces).map(({ name }) => name))];
  return names.some((name) => !POSITION.test(name)) ? names : names.toSorted((a, b) => Number(a) - Number(b));
}

/** A text must not mix positions and names, and its positions must have no gaps. */
function findJointFaults(names: string[]): Fault[] {
  const positions = new Set(names.filter((name) => POSITION.test(name)));
  if (positions.size === 0) return [];
  if (positions.size < names.length) {
    return [fault("mixed_variables", "Use either positions, like {{1}}, or names, like {{name}}, not both.")];
  }
  const missing: string[] = [];
  for (let position = 1; position <= positions.size && missing.length < MAX_NAMED_POSITIONS; position++) {
    if (!positions.has(String(position))) missing.push(`{{${position}}}`);
  }
  if (missing.length === 0) return [];
  return [fault("missing_position", `Positions must start at 1 without gaps; ${missing.join(", ")} is missing.`)];
}

/**
 * A local template has variables like `{{1}}`, `{{name}}` and `{{name|fallback}}`, optionally with white space inside
 * the braces.
 */
export function parseBody(body: string): { pieces: TextPieces; faults: Fault[] } {
  const pieces: (string | Placeholder)[] = [];
  const faults: Fault[] = [];
  let end = 0;
  for (const { 0: match, 1: content = "", 2: closing, index } of body.matchAll(PLACEHOLDER)) {
    if (index > end) pieces.push(body.slice(end, index));
    end = index + match.length;
    const placeholder =
      closing === undefined
        ? fault("unclosed_variable", `${quotePlaceholder(content, "")} is not closed by }}.`)
        : readPlaceholder(content);
    if (hasOwn(placeholder, "code")) faults.push(placeholder);
    else pieces.push(placeholder);
  }
  if (end < body.length) pieces.push(body.slice(end));
  return { pieces, faults: faults.length > 0 ? faults : findJointFaults(variablesIn(pieces)) };
}

/** The provider has already accepted this text, so braces that are not a variable are plain text and not a fault. */
export function parseExternal(text: string, kind: "positional" | "named"): TextPieces {
  const pieces: (string | Placeholder)[] = [];
  let end = 0;
  for (const { 0: match, 1: content = "", 2: closing, index } of text.matchAll(PLACEHOLDER)) {
    const name = content.trim();
    if (closing === undefined || !(kind === "positional" ? POSITION : NAME).test(name)) continue;
    if (index > end) pieces.push(text.slice(end, index));
    end = index + match.length;
    pieces.push({ name, fallback: null });
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/**
 * Values are inserted as plain text and never parsed as templates. `missing` lists variables with neither a value nor a
 * fallback; a blank value counts as missing.
 */
export function render(
  pieces: TextPieces,
  valueOf: (name: string) => string | null | undefined,
): { text: string; missing: string[] } {
  const missing = new Set<string>();
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const value = valueOf(piece.name) ?? "";
    if (!isBlank(value)) return value;
    if (piece.fallback === null) missing.add(piece.name);
    return piece.fallback ?? "";
  });
  return { text: texts.join(""), missing: [...missing] };
}
