import parseNumber, { type CountryCode, getCountries, type PhoneNumber } from "libphonenumber-js/min";

/** Some countries have longer numbers inside; E.164 ends at fifteen digits. */
const E164 = /^\+\d{1,15}$/;

/** Separators that people put between digits; format characters come along when a number is copied from an address book. */
const SEPARATORS = /[\s.()[\]\p{Pd}\p{Cf}\u2212]/gu;

/**
 * Elsewhere, numbers with fewer than six digits are service numbers. Only countries with a three-digit calling code have such short
 * numbers.
 */
const MIN_DIGITS = 6;

/**
 * Lengths of replaced numbering plans, which metadata has dropped: Ivory Coast and Benin, land lines of Nigeria and Zimbabwe, services of
 * Croatia, and the 1 before mobiles of Mexico. Apps still know people by such numbers.
 */
const REPLACED_LENGTHS = /^\+(?:22[59]\d{8}|234\d{7,8}|263(?:\d{5,6}|\d{8})|385\d{6}|521[2-9]\d{9})$/;

/** Inside Argentina a mobile is dialled <area> 15 <line>. Area and line are ten digits, so only one place fits a 15. */
const ARGENTINIAN_15 = /^\+549?(?=\d{12}$)(?<area>11|[23]\d{2,3}?)15(?<line>\d+)$/;

/** The 9 is written for calls from abroad and left out for texts; no land line has the ten digits of a mobile. */
const ARGENTINIAN_9 = /^\+549(?<number>11\d{8}|[23]\d{9})$/;

/** The same without the 9: a text's way of writing it, or a land line. */
const ARGENTINIAN_SHORT = /^\+54(?<number>11\d{8}|[23]\d{9})$/;

/** Mexico dropped the 1 before mobiles in 2019; messaging apps kept it in their ids. */
const MEXICAN_1 = /^\+521(?<number>[2-9]\d{9})$/;

/** Since 2016 every Brazilian mobile has a 9 before its eight digits. Land lines start with 2 to 5 and have none. */
const BRAZILIAN_8 =
  /^\+55(?<area>1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?<line>[6-9]\d{7})$/;

/** Benin put 01 before its eight digits on 30 November 2024. */
const BENINESE_8 = /^\+229(?<line>\d{8})$/;

/**
 * Ivory Coast put the prefix of the operator before its eight digits on 31 January 2021: Moov, MTN, Orange. Each with the first digits
 * of its old mobiles, as in a RegExp and in GLOB. Other mobiles and land lines are not joined with their new spelling.
 */
export const IVORIAN_OPERATORS = [
  ["01", ["0[1-3]", "[457][0-3]"]],
  ["05", ["[04-9][4-6]"]],
  ["07", ["[04-8][7-9]", "9[78]"]],
] as const;

const IVORIAN_MOBILES = IVORIAN_OPERATORS.map(([prefix, first]) => {
  const line = `(?<line>(?:${first.join("|")})\\d{6})`;
  return { prefix, old: new RegExp(`^\\+225${line}$`), current: new RegExp(`^\\+225${prefix}${line}$`) };
});

/** Before the calling code: the plus, the 00 that most countries dial for it, and the scheme of a telephone link. */
const INTERNATIONAL = /^(?:tel:)?(?:\+|00)(?=[1-9])/i;

const compactOf = (written: string): string => written.normalize("NFKC").replace(SEPARATORS, "");

/**
 * The E.164 form ("+…") of a number written with its calling code, or null where the calling code is unknown or the
 * length impossible there. `00` is read as the plus. Without `requirePlus` a number without either is read as if it had one.
 */
export function parsePhone(input: string, { requirePlus = false }: { requirePlus?: boolean } = {}): string | null {
  const compact = compactOf(input);
  const digits = compact.replace(INTERNATIONAL, "");
  if (!/^\d+$/.test(digits) || (requirePlus && digits === compact)) return null;
  const number = `+${digits}`.replace(ARGENTINIAN_15, "+549$<area>$<line>");
  const parsed = toPossibleNumber(parseNumber(number, { extract: false }));
  return parsed === null || parsed === number ? parsed : parsePhone(parsed);
}

/** True for an address that is a number in E.164; false for an id that a provider knows a person by. */
export const isPhoneAddress = (address: string): boolean => address.startsWith("+");

/** The "+…" form of a sender's id as a provider gave it. Never refused: a sender has a number. */
export function inboundPhone(digits: string): string {
  return parsePhone(digits) ?? `+${digits.replace(/\D/g, "")}`;
}

/** The countries whose own way of writing numbers can be read, by their codes of ISO 3166-1. */
export const phoneCountries = (): CountryCode[] => getCountries();

/** German numbers have no fixed length, so that "491701234567" may also be one without its country code; they are dialled with a 0. */
const GERMAN_49 = /^49[1-9]\d{6,}$/;

/**
 * Places where people put a slash: after the country and the area, or between the pairs of a French number. Dates
 * ("01/02/2026") and two numbers in one ("030 5550/5551", "030 901820/21") look otherwise.
 */
const SLASHED_ABROAD = /^(?:tel:)?(?:\+|00)(?:[1-9]\d{0,2}\/)?(?:\d{1,7}|\d{2}0\d{2,5})\/\d{3,}$/i;
const SLASHED_INSIDE = /^(?:0[1-9]\/\d{5,}|0[1-9]\d{1,4}\/\d{3,}|[1-9]\d{2}\/\d{6,8}|0\d(?:\/\d{2}){4})$/;

/** A compact number without the slashes that separate its parts; others stay, so that the text is refused. */
const withoutSlashes = (compact: string, isInside: boolean): string =>
  SLASHED_ABROAD.test(compact) || (isInside && SLASHED_INSIDE.test(compact)) ? compact.replaceAll("/", "") : compact;

/**
 * A number as people write it in lists and forms: as `parsePhone`, and with slashes between its parts. Where a country is
 * given, one without the plus is read as it is dialled there: "0170/1234567" in Germany.
 */
export function parsePhoneIn(country: CountryCode | null, input: string): string | null {
  const compact = withoutSlashes(compactOf(input), country !== null);
  if (country === null) return parsePhone(compact);
  const isGerman = country === "DE" && GERMAN_49.test(compact);
  const international = INTERNATIONAL.test(compact) || isGerman ? parsePhone(compact) : null;
  if (international !== null || !/^\d+$/.test(compact)) return international;
  const parsed = parseNumber(compact, { defaultCountry: country, extract: false });
  const number = toPossibleNumber(parsed);
  return number === null ? null : parsePhone(number);
}

/** True where a text is the digits of a number as it is dialled inside its country, without a calling code. */
export function lacksCallingCode(input: string): boolean {
  const compact = withoutSlashes(compactOf(input), true);
  return /^\d+$/.test(compact) && !INTERNATIONAL.test(compact);
}

/** The message for a text that `parsePhone` does not read. */
export const invalidPhoneMessage = (input: string): string =>
  lacksCallingCode(input)
    ? "Must be a phone number in international format, with its country code: +49 30 901820 for 030 901820 in Germany."
    : "Must be a phone number in international format, like +14155550100.";

/**
 * An E.164 number in groups of digits, "+1 415 555 0100": spreadsheets take it for text, where they would drop the plus
 * of "+14155550100" as that of a number. `parsePhone` reads it back.
 */
export function spacedPhone(e164: string): string {
  const parsed = parseNumber(e164, { extract: false });
  const spaced = parsed?.formatInternational().replaceAll("-", " ");
  if (spaced !== undefined && /^\+[\d ]+$/.test(spaced) && spaced.replaceAll(" ", "") === e164) return spaced;
  return e164.replace(/^(\+\d{2})(\d+)$/, "$1 $2");
}

/**
 * The key of the person that a number in E.164 form belongs to: spellings that reach the same phone have the same key, and the key is
 * its own key. For comparing only: messages go to the number as it was given.
 * Sources: faq.whatsapp.com/1294841057948784 (Argentina, Mexico); Anatel resolution 553 (Brazil's ninth digit); ITU notices of
 * the numbering plans of Benin (2024) and Ivory Coast (2021).
 */
export function phoneKey(e164: string): string {
  const ivorian = IVORIAN_MOBILES.find(({ old }) => old.test(e164));
  if (ivorian !== undefined) return e164.replace(ivorian.old, `+225${ivorian.prefix}$<line>`);
  return e164
    .replace(BRAZILIAN_8, "+55$<area>9$<line>")
    .replace(MEXICAN_1, "+52$<number>")
    .replace(BENINESE_8, "+22901$<line>")
    .replace(ARGENTINIAN_15, "+54$<area>$<line>")
    .replace(ARGENTINIAN_9, "+54$<number>");
}

/** Keys in the form that their country replaced. Earlier versions stored that form as the key. */
const REPLACED_SPELLINGS: [RegExp, string][] = [
  [/^\+22901(?<line>\d{8})$/, "+229$<line>"],
  ...IVORIAN_MOBILES.map(({ current }): [RegExp, string] => [current, "+225$<line>"]),
];

/** Keys that may be written in another way, with it; `phoneKey` takes both forms for the same. */
const SPELLINGS: [RegExp, string][] = [
  [
    /^\+55(?<area>1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])9(?<line>[6-9]\d{7})$/,
    "+55$<area>$<line>",
  ],
  [/^\+52(?<number>[2-9]\d{9})$/, "+521$<number>"],
  [ARGENTINIAN_SHORT, "+549$<number>"],
  ...REPLACED_SPELLINGS,
];

const respelled = (key: string, spellings: [RegExp, string][]): string[] =>
  spellings.flatMap(([form, other]) => (form.test(key) ? [key.replace(form, other)] : []));

/** The keys that earlier versions stored for a person with this key; none for most countries. */
export const formerKeys = (key: string): string[] => respelled(key, REPLACED_SPELLINGS);

const OLD_SPELLINGS = [BRAZILIAN_8, MEXICAN_1, ARGENTINIAN_SHORT, BENINESE_8, ...IVORIAN_MOBILES.map(({ old }) => old)];

/** True where a number in E.164 form has a newer spelling, or a fuller one: that one is kept where both are known. */
export function isOldSpelling(e164: string): boolean {
  return OLD_SPELLINGS.some((spelling) => spelling.test(e164));
}

/** The other spellings of a number in E.164 form under which an app may know its holder; none for most countries. */
export function otherSpellings(e164: string): string[] {
  const key = phoneKey(e164);
  return [key, ...respelled(key, SPELLINGS)].filter((spelling) => spelling !== e164);
}

/** The E.164 form if its length is possible, or null. Messaging apps still use numbers that the metadata calls invalid. */
function toPossibleNumber(parsed: PhoneNumber | undefined): string | null {
  if (parsed === undefined || !E164.test(parsed.number)) return null;
  const { number, countryCallingCode, nationalNumber } = parsed;
  if (nationalNumber.length < MIN_DIGITS && countryCallingCode.length < 3) return null;
  return parsed.isPossible() || REPLACED_LENGTHS.test(number) ? number : null;
}
