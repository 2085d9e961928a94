// What search and filters compare, built from folded text.
import { fold } from "../../shared/folding.ts";

/** Begins every field and word in the index; terms never hold it. */
const MARK = "\u0002\u0002";

/** The first two characters of every word but the first, each marked, so that short prefixes can be found. */
function wordMarks(folded: string): string {
  const starts = folded.matchAll(/(?:(?<=\s)(?=\S)|(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}]))(?=(..?))/gsu);
  return [...new Set(Array.from(starts, ([, start = ""]) => MARK + start))].join("");
}

/** A column `folded` entry for one searched field: its text, and its words' beginnings for the index. Null for none. */
export function foldedField(name: string, value: string | null): Record<string, string | null> {
  const folded = fold(value ?? "");
  return { [name]: folded || null, [`${name}_words`]: folded === "" ? null : wordMarks(folded) };
}

/** `number` as two digits to base 4096, from U+4E00: characters that no folding touches. */
export const facetDigits = (number: number): string =>
  String.fromCodePoint(0x4e00 + (Math.floor(number / 4096) % 4096), 0x4e00 + (number % 4096));

/** The digits of a source's token in the index: a hash of its folded name (FNV-1a, 24 bits). */
export function sourceToken(source: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(fold(source))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return facetDigits((hash >>> 24) ^ (hash & 0xffffff));
}

const PHONE_TERM = /^\+?[\d\s().\-/]+$/;

/**
 * The phrases any of which the index must hold for a search term: a substring from three characters, below that the
 * beginning of a word. What looks like part of a phone number is also looked for without its punctuation.
 */
export function searchPhrases(term: string): string[] {
  const folded = fold(term);
  const digits = PHONE_TERM.test(folded) ? folded.replace(/\D/g, "") : "";
  const phrase = (text: string) => (Array.from(text).length < 3 ? MARK + text : text);
  return [...new Set([folded, digits].filter((text) => text !== "").map(phrase))];
}
