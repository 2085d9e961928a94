// Pure.
import { fold } from "../../shared/text/folding.ts";
import { otherSpellings, parsePhone } from "../../shared/text/phone.ts";

/** Precedes every field and word in the index. Search terms never contain it. */
const MARK = "\u0002\u0002";

/** The first two characters of every word after the first, each marked, so that short prefixes are found. */
function wordMarks(folded: string): string {
  const starts = folded.matchAll(/(?:(?<=\s)(?=\S)|(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}]))(?=(..?))/gsu);
  return [...new Set(Array.from(starts, ([, start = ""]) => MARK + start))].join("");
}

/** The entries of `folded` for a searched field: its text, and the first characters of its words. Null for an empty field. */
export function foldedField(name: string, value: string | null): Record<string, string | null> {
  const folded = fold(value ?? "");
  return { [name]: folded || null, [`${name}_words`]: folded === "" ? null : wordMarks(folded) };
}

const PHONE_TERM = /^\+?[\d\s().\-/]+$/;

function respelledDigits(digits: string): string[] {
  const phone = digits === "" ? null : parsePhone(digits);
  return phone === null ? [] : otherSpellings(phone).map((spelling) => spelling.slice(1));
}

/** Three or more characters match anywhere, fewer only at the start of a word. Phone numbers also match in other spellings. */
export function searchPhrases(term: string): string[] {
  const folded = fold(term);
  const digits = PHONE_TERM.test(folded) ? folded.replace(/\D/g, "") : "";
  const phrase = (text: string) => (Array.from(text).length < 3 ? MARK + text : text);
  // A text with `+` and the number also contains the number without `+`.
  const texts = folded === `+${digits}` && digits.length >= 3 ? [digits] : [folded, digits];
  return [...new Set([...texts, ...respelledDigits(digits)].filter((text) => text !== "").map(phrase))];
}

/** The last digits of a number are rare in a workspace; the first (country and area) are not. */
const NUMBER_TAIL = 8;
/** Trigrams of the head overlap its end. */
const OVERLAP = 2;

/** The two parts of a long number, the rarer first. Null for any other phrase. */
export function splitNumber(phrase: string): [tail: string, head: string] | null {
  if (!/^\d+$/.test(phrase) || phrase.length <= NUMBER_TAIL) return null;
  return [phrase.slice(-NUMBER_TAIL), phrase.slice(0, OVERLAP - NUMBER_TAIL)];
}
