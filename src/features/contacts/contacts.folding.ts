import { fold } from "../../shared/text/folding.ts";
import { otherSpellings, parsePhone } from "../../shared/text/phone.ts";

/**
 * The index has this mark before every field and word. It finds only texts of three or more characters, so a search for
 * one or two characters puts the mark before them. Such a search matches only the beginning of a word. Users cannot
 * search for the mark itself.
 */
const MARK = "\u0002\u0002";

/**
 * Returns the mark and the first two characters of every word but the first. For `alex smith`, this is the mark and
 * `sm`. The first word needs no mark of its own, because every field begins with one.
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
 * Many phone numbers of a workspace begin with the same digits (country and area), but few have the same last digits. A
 * search for a long number therefore looks up its last digits separately.
 */
const NUMBER_TAIL = 8;
/** The first and the last part share this many digits, so that every group of three digits is in one of them. */
const OVERLAP = 2;

export function splitNumber(phrase: string): [tail: string, head: string] | null {
  if (!/^\d+$/.test(phrase) || phrase.length <= NUMBER_TAIL) return null;
  return [phrase.slice(-NUMBER_TAIL), phrase.slice(0, OVERLAP - NUMBER_TAIL)];
}
