import { fold } from "../../shared/text/folding.ts";
import { otherSpellings, parsePhone } from "../../shared/text/phone.ts";

/** Marks the beginning of every field and word in the index. Search terms never contain this mark. */
const MARK = "\u0002\u0002";

/**
 * Returns the first two characters of every word except the first word. Each has a mark, so that short prefixes are
 * found.
 */
function wordMarks(folded: string): string {
  const starts = folded.matchAll(/(?:(?<=\s)(?=\S)|(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}]))(?=(..?))/gsu);
  return [...new Set(Array.from(starts, ([, start = ""]) => MARK + start))].join("");
}

/**
 * Returns the entries of `folded` for a searched field: its text and the first characters of its words. Null for an
 * empty field.
 */
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
 * Three or more characters match anywhere. Fewer characters match only at the start of a word. Phone numbers also match
 * in other spellings.
 */
export function searchPhrases(term: string): string[] {
  const folded = fold(term);
  const digits = PHONE_TERM.test(folded) ? folded.replace(/\D/g, "") : "";
  const phrase = (text: string) => (Array.from(text).length < 3 ? MARK + text : text);
  // A text that contains the number with `+` also contains the number without `+`.
  const texts = folded === `+${digits}` && digits.length >= 3 ? [digits] : [folded, digits];
  return [...new Set([...texts, ...respelledDigits(digits)].filter((text) => text !== "").map(phrase))];
}

/**
 * The length of a number's tail. In a workspace, the last digits are rare, and the first digits (country and area) are
 * common.
 */
const NUMBER_TAIL = 8;
/** The head and the tail share this many digits, so that every trigram is in one of them. */
const OVERLAP = 2;

/** Splits a long number into two parts, the rarer part first. Returns null for any other phrase. */
export function splitNumber(phrase: string): [tail: string, head: string] | null {
  if (!/^\d+$/.test(phrase) || phrase.length <= NUMBER_TAIL) return null;
  return [phrase.slice(-NUMBER_TAIL), phrase.slice(0, OVERLAP - NUMBER_TAIL)];
}
