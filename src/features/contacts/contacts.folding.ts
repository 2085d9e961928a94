import { fold } from "../../shared/text/folding.ts";
import { otherSpellings, parsePhone } from "../../shared/text/phone.ts";

/**
 * In the index, this mark precedes every field and word, and a search for a short term begins with it, so that the term
 * matches only beginnings. Users cannot search for the mark itself.
 */
const MARK = "\u0002\u0002";

/**
 * The index finds one or two characters at the beginning of a word through these marks. The first word needs no mark of
 * its own, because every field begins with one.
 */
function wordMarks(folded: string): string {
  const starts = folded.matchAll(/(?:(?<=\s)(?=\S)|(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}]))(?=(..?))/gsu);
  return [...new Set(Array.from(starts, ([, start = ""]) => MARK + start))].join("");
}

export function foldedField(name: string, value: string | null): Record<string, string | null> {
  const folded = fold(value ?? "");
  return { [name]: folded || null, [`${name}_words`]: folded === "" ? null : wordMarks(folded) };
}

const PHONE_TERM = /^\+?[\d\s().\-/]+$/;

function respelledDigits(digits: string): string[] {
  const phone = digits === "" ? null : parsePhone(digits);
  return phone === null ? [] : otherSpellings(phone).map((spelling) => spelling.slice(1));
}

/**
 * A term of three or more characters matches anywhere, and a shorter term only at the beginning of a word. A phone
 * number also matches in other spellings.
 */
export function searchPhrases(term: string): string[] {
  const folded = fold(term);
  const digits = PHONE_TERM.test(folded) ? folded.replace(/\D/g, "") : "";
  const phrase = (text: string) => (Array.from(text).length < 3 ? MARK + text : text);
  // Every text with `+49…` also contains `49…`, so the phrase without the plus is enough.
  const texts = folded === `+${digits}` && digits.length >= 3 ? [digits] : [folded, digits];
  return [...new Set([...texts, ...respelledDigits(digits)].filter((text) => text !== "").map(phrase))];
}

/**
 * Phone numbers of a workspace often begin with the same digits (country and area), but their last digits are rare. A
 * search therefore looks up the last digits.
 */
const NUMBER_TAIL = 8;
/** The first and the last part share this many digits, so that every group of three digits is in one of them. */
const OVERLAP = 2;

export function splitNumber(phrase: string): [tail: string, head: string] | null {
  if (!/^\d+$/.test(phrase) || phrase.length <= NUMBER_TAIL) return null;
  return [phrase.slice(-NUMBER_TAIL), phrase.slice(0, OVERLAP - NUMBER_TAIL)];
}
