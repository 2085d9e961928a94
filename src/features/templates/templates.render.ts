// Splits a template's text at its variables and fills it in. Pure, and linear in its input.
import type { Fault } from "../../shared/errors.ts";
import { hasOwn, isReserved, RESERVED_NAME } from "../../shared/own.ts";

/** A place that a value goes into. Positions are named by their digits. */
export interface Place {
  name: string;
  fallback: string | null;
}

/** A text split at its variables: parts that stand as they are, and places that are filled in. */
export type Parts = readonly (string | Place)[];

/** `{{`, what follows until the next pair of braces, and `}}` if that pair closes. Every character is looked at once. */
const PLACE = /\{\{((?:(?!\{\{|\}\})[^])*)(\}\})?/g;
const POSITION = /^[1-9]\d*$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/;

const SHOWN_CHARACTERS = 40;
const SHOWN_POSITIONS = 5;

/** True of values that count as nothing: they would be sent as a blank. */
export const isBlank = (value: string | null | undefined): boolean => (value ?? "").trim() === "";

function quotePlace(content: string): string {
  const characters = Array.from(content.slice(0, 2 * SHOWN_CHARACTERS + 2));
  const isLong = characters.length > SHOWN_CHARACTERS;
  return JSON.stringify(`{{${characters.slice(0, SHOWN_CHARACTERS).join("")}${isLong ? "…" : "}}"}`);
}

const fault = (code: string, message: string): Fault => ({ path: "body", code, message });

/** Reads the text between two pairs of braces. */
function readPlace(content: string): Place | Fault {
  const bar = content.indexOf("|");
  const name = (bar < 0 ? content : content.slice(0, bar)).trim();
  const fallback = bar < 0 ? null : content.slice(bar + 1).trim();
  if (name === "") return fault("empty_variable", `${quotePlace(content)} names no variable.`);
  if (/^\d+$/.test(name)) {
    if (!POSITION.test(name))
      return fault("invalid_variable", `${quotePlace(content)}: positions are 1, 2, 3 and so on.`);
    if (fallback !== null) {
      return fault(
        "invalid_variable",
        `${quotePlace(content)}: a position takes no fallback. Give the variable a name.`,
      );
    }
    return { name, fallback };
  }
  if (!NAME.test(name)) {
    return fault(
      "invalid_variable",
      `${quotePlace(content)}: a name has 1 to 60 of a–z, A–Z, 0–9 and _, and no digit first.`,
    );
  }
  if (isReserved(name)) return fault("invalid_variable", `${quotePlace(content)}: ${RESERVED_NAME}`);
  if (fallback === "")
    return fault("empty_fallback", `${quotePlace(content)} has an empty fallback. Leave out the bar.`);
  return { name, fallback };
}

const placesIn = (parts: Parts): Place[] => parts.flatMap((part) => (typeof part === "string" ? [] : [part]));

/** The names of a text's variables: positions by number, names as they appear. */
export function variablesIn(parts: Parts): string[] {
  const names = [...new Set(placesIn(parts).map(({ name }) => name))];
  return names.some((name) => !POSITION.test(name)) ? names : names.toSorted((a, b) => Number(a) - Number(b));
}

/** Faults of the variables taken together: the kinds may not mix, and positions leave none out. */
function findJointFaults(names: string[]): Fault[] {
  const positions = new Set(names.filter((name) => POSITION.test(name)));
  if (positions.size === 0) return [];
  if (positions.size < names.length) {
    return [fault("mixed_variables", "Use either positions, like {{1}}, or names, like {{name}}, not both.")];
  }
  const missing: string[] = [];
  for (let position = 1; position <= positions.size && missing.length < SHOWN_POSITIONS; position++) {
    if (!positions.has(String(position))) missing.push(`{{${position}}}`);
  }
  if (missing.length === 0) return [];
  return [fault("missing_position", `Positions start at 1 without gaps; there is no ${missing.join(", ")}.`)];
}

/**
 * Splits a local template's text at its variables, and lists its faults: `{{1}}`, `{{2}}` …, or `{{name}}`,
 * `{{name|fallback}}`; white space inside the braces is ignored.
 */
export function parseBody(body: string): { parts: Parts; faults: Fault[] } {
  const parts: (string | Place)[] = [];
  const faults: Fault[] = [];
  let end = 0;
  for (const { 0: match, 1: content = "", 2: closing, index } of body.matchAll(PLACE)) {
    if (index > end) parts.push(body.slice(end, index));
    end = index + match.length;
    const place =
      closing === undefined
        ? fault("unclosed_variable", `${quotePlace(content)} is not closed by }}.`)
        : readPlace(content);
    if (hasOwn(place, "code")) faults.push(place);
    else parts.push(place);
  }
  if (end < body.length) parts.push(body.slice(end));
  return { parts, faults: faults.length > 0 ? faults : findJointFaults(variablesIn(parts)) };
}

/** Splits a provider's text at its variables. It has been accepted there, so what is no variable of its kind is text. */
export function parseExternal(text: string, kind: "positional" | "named"): Parts {
  const parts: (string | Place)[] = [];
  let end = 0;
  for (const { 0: match, 1: content = "", 2: closing, index } of text.matchAll(PLACE)) {
    const name = content.trim();
    if (closing === undefined || !(kind === "positional" ? POSITION : NAME).test(name)) continue;
    if (index > end) parts.push(text.slice(end, index));
    end = index + match.length;
    parts.push({ name, fallback: null });
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/**
 * Fills in a text. A value is put in as it is and never read as a template; one that is blank counts as missing.
 * `missing` names the variables with neither value nor fallback; the text is only good where it is empty.
 */
export function render(
  parts: Parts,
  valueOf: (name: string) => string | null | undefined,
): { text: string; missing: string[] } {
  const missing = new Set<string>();
  const pieces = parts.map((part) => {
    if (typeof part === "string") return part;
    const value = valueOf(part.name) ?? "";
    if (!isBlank(value)) return value;
    if (part.fallback === null) missing.add(part.name);
    return part.fallback ?? "";
  });
  return { text: pieces.join(""), missing: [...missing] };
}
