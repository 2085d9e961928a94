// Folded text as search and filters compare it. Pure.
import { fold } from "../../shared/text/folding.ts";
import { otherSpellings, parsePhone } from "../../shared/text/phone.ts";

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

const PHONE_TERM = /^\+?[\d\s().\-/]+$/;

/** The digits of a whole number in its other spellings. */
function respelledDigits(digits: string): string[] {
  const phone = digits === "" ? null : parsePhone(digits);
  return phone === null ? [] : otherSpellings(phone).map((spelling) => spelling.slice(1));
}

/**
 * The index holds one of these phrases for each contact that a search term finds. A term of three characters or more finds any
 * part of a text, a shorter one the beginning of a word; part of a phone number is also looked for without its punctuation, and a whole
 * number in its other spellings.
 */
export function searchPhrases(term: string): string[] {
  const folded = fold(term);
  const digits = PHONE_TERM.test(folded) ? folded.replace(/\D/g, "") : "";
  const phrase = (text: string) => (Array.from(text).length < 3 ? MARK + text : text);
  // A text that holds a number with its plus also holds it without.
  const texts = folded === `+${digits}` && digits.length >= 3 ? [digits] : [folded, digits];
  return [...new Set([...texts, ...respelledDigits(digits)].filter((text) => text !== "").map(phrase))];
}

/** The last digits of a number are rare in any workspace, the first, its country and area, are not. */
const NUMBER_TAIL = 8;
/** Trigrams of the first part reach over its end. */
const OVERLAP = 2;

/** The two parts of a long number, the rarer one first; null for another phrase. */
export function splitNumber(phrase: string): [tail: string, head: string] | null {
  if (!/^\d+$/.test(phrase) || phrase.length <= NUMBER_TAIL) return null;
  return [phrase.slice(-NUMBER_TAIL), phrase.slice(0, OVERLAP - NUMBER_TAIL)];
}
