import parseNumber, { type CountryCode, getCountries, type PhoneNumber } from "libphonenumber-js/min";

const E164 = /^\+\d{1,15}$/;

/** Characters that people write between digits, including invisible ones that address books add to copied numbers. */
const SEPARATORS = /[\s.()[\]\p{Pd}\p{Cf}\u2212]/gu;

/** Shorter national numbers are service numbers, except in small countries, whose calling codes have three digits. */
const MIN_DIGITS = 6;

/**
 * Old formats whose lengths libphonenumber rejects, although apps still use them: numbers of Ivory Coast and Benin,
 * landlines of Nigeria and Zimbabwe, service numbers of Croatia, and Mexican mobiles with a 1.
 */
const REPLACED_LENGTHS = /^\+(?:22[59]\d{8}|234\d{7,8}|263(?:\d{5,6}|\d{8})|385\d{6}|521[2-9]\d{9})$/;

/**
 * Within Argentina, people dial a mobile as <area> 15 <line>. Area and line have ten digits together, so twelve
 * digits show that the 15 was added.
 */
const ARGENTINIAN_15 = /^\+549?(?=\d{12}$)(?<area>11|[23]\d{2,3}?)15(?<line>\d+)$/;

/**
 * To call an Argentinian mobile from abroad, people dial a 9 after the country code, which messaging apps omit.
 * No landline has the same digits after the 9, so removing it never changes one number into another.
 */
const ARGENTINIAN_9 = /^\+549(?<number>11\d{8}|[23]\d{9})$/;

const ARGENTINIAN_SHORT = /^\+54(?<number>11\d{8}|[23]\d{9})$/;

/** Mexico removed the 1 in mobile numbers in 2019, but messaging apps still use the 1 in their ids. */
const MEXICAN_1 = /^\+521(?<number>[2-9]\d{9})$/;

/**
 * Since 2016, Brazilian mobile numbers start with an extra 9. This pattern matches them without it, and no
 * landlines, because those start with 2 to 5.
 */
const BRAZILIAN_8 =
  /^\+55(?<area>1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?<line>[6-9]\d{7})$/;

/** On 30 November 2024, Benin added 01 to all numbers. This pattern matches numbers without it. */
const BENINESE_8 = /^\+229(?<line>\d{8})$/;

/**
 * On 31 January 2021, Ivory Coast added a prefix to mobile numbers, which depends on the operator (Moov, MTN,
 * Orange). Each row has a prefix and patterns for the first digits of the old numbers that received it. SQL uses
 * the patterns too, so they must be valid both in a RegExp and in a GLOB.
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

const INTERNATIONAL = /^(?:tel:)?(?:\+|00)(?=[1-9])/i;

const compactOf = (written: string): string => written.normalize("NFKC").replace(SEPARATORS, "");

/**
 * Returns the number in E.164, or null if the calling code is unknown or the length is impossible. A leading
 * `00` is read as a plus, and the plus is optional unless `requirePlus` is set.
 */
export function parsePhone(input: string, { requirePlus = false }: { requirePlus?: boolean } = {}): string | null {
  const compact = compactOf(input);
  const digits = compact.replace(INTERNATIONAL, "");
  if (!/^\d+$/.test(digits) || (requirePlus && digits === compact)) return null;
  const number = `+${digits}`.replace(ARGENTINIAN_15, "+549$<area>$<line>");
  const parsed = toPossibleNumber(parseNumber(number, { extract: false }));
  return parsed === null || parsed === number ? parsed : parsePhone(parsed);
}

export const isPhoneAddress = (address: string): boolean => address.startsWith("+");

/** Returns an invalid number as it is instead of null, because an inbound message always has a sender. */
export function inboundPhone(digits: string): string {
  return parsePhone(digits) ?? `+${digits.replace(/\D/g, "")}`;
}

export const phoneCountries = (): CountryCode[] => getCountries();

/**
 * People write German national numbers with a leading 0. A number such as "491701234567" therefore starts with the
 * calling code, although it has no plus.
 */
const GERMAN_49 = /^49[1-9]\d{6,}$/;

/**
 * These patterns match one number with slashes after the country or area ("+49/30/901820") or between the pairs of
 * a French number ("01/23/45/67/89"). They do not match dates ("01/02/2026") or two numbers ("030 5550/5551").
 */
const SLASHED_ABROAD = /^(?:tel:)?(?:\+|00)(?:[1-9]\d{0,2}\/)?(?:\d{1,7}|\d{2}0\d{2,5})\/\d{3,}$/i;
const SLASHED_INSIDE = /^(?:0[1-9]\/\d{5,}|0[1-9]\d{1,4}\/\d{3,}|[1-9]\d{2}\/\d{6,8}|0\d(?:\/\d{2}){4})$/;

const withoutSlashes = (compact: string, isInside: boolean): string =>
  SLASHED_ABROAD.test(compact) || (isInside && SLASHED_INSIDE.test(compact)) ? compact.replaceAll("/", "") : compact;

/**
 * Accepts slashes, because people write them in lists and forms. If a country is set, a number without a
 * plus is national, such as "0170/1234567" in Germany.
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

export function lacksCallingCode(input: string): boolean {
  const compact = withoutSlashes(compactOf(input), true);
  return /^\d+$/.test(compact) && !INTERNATIONAL.test(compact);
}

export const invalidPhoneMessage = (input: string): string =>
  lacksCallingCode(input)
    ? "Must be a phone number in international format, with its country code: +49 30 901820 for 030 901820 in Germany."
    : "Must be a phone number in international format, like +14155550100.";

/** Adds spaces. Without them, a spreadsheet reads "+14155550100" as a number and removes the plus. */
export function spacedPhone(e164: string): string {
  const parsed = parseNumber(e164, { extract: false });
  const spaced = parsed?.formatInternational().replaceAll("-", " ");
  if (spaced !== undefined && /^\+[\d ]+$/.test(spaced) && spaced.replaceAll(" ", "") === e164) return spaced;
  return e164.replace(/^(\+\d{2})(\d+)$/, "$1 $2");
}

/**
 * Returns the same key for all spellings of one number. Use it only to compare numbers: messages go to the
 * stored number. Sources: faq.whatsapp.com/1294841057948784 (Argentina, Mexico); Anatel resolution 553
 * (Brazil's ninth digit); ITU notices of Benin (2024) and Ivory Coast (2021).
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

const REPLACED_SPELLINGS: [RegExp, string][] = [
  [/^\+22901(?<line>\d{8})$/, "+229$<line>"],
  ...IVORIAN_MOBILES.map(({ current }): [RegExp, string] => [current, "+225$<line>"]),
];

/** Each row matches keys for which some apps use another spelling, and has the replacement that returns it. */
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

/** The keys under which earlier versions stored the same number. For most countries, there are none. */
export const formerKeys = (key: string): string[] => respelled(key, REPLACED_SPELLINGS);

const OLD_SPELLINGS = [BRAZILIAN_8, MEXICAN_1, ARGENTINIAN_SHORT, BENINESE_8, ...IVORIAN_MOBILES.map(({ old }) => old)];

/** True if the number also has a newer or longer spelling, which Tidings prefers. */
export function isOldSpelling(e164: string): boolean {
  return OLD_SPELLINGS.some((spelling) => spelling.test(e164));
}

export function otherSpellings(e164: string): string[] {
  const key = phoneKey(e164);
  return [key, ...respelled(key, SPELLINGS)].filter((spelling) => spelling !== e164);
}

function toPossibleNumber(parsed: PhoneNumber | undefined): string | null {
  if (parsed === undefined || !E164.test(parsed.number)) return null;
  const { number, countryCallingCode, nationalNumber } = parsed;
  if (nationalNumber.length < MIN_DIGITS && countryCallingCode.length < 3) return null;
  return parsed.isPossible() || REPLACED_LENGTHS.test(number) ? number : null;
}
