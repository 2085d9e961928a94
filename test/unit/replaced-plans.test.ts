import fc from "fast-check";
import { getCountries, getExampleNumber } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import {
  inboundPhone,
  isOldSpelling,
  otherSpellings,
  parsePhone,
  parsePhoneIn,
  phoneKey,
  spacedPhone,
} from "../../src/shared/text/phone.ts";

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

/**
 * Mobile numbers of Ivory Coast before 2021, by the current prefix of their operator. The regulator published this
 * list.
 */
const IVORIAN_MOBILES = [
  ["01", "01 02 03 40 41 42 43 50 51 52 53 70 71 72 73"],
  ["05", "04 05 06 44 45 46 54 55 56 64 65 66 74 75 76 84 85 86 94 95 96"],
  ["07", "07 08 09 47 48 49 57 58 59 67 68 69 77 78 79 87 88 89 97 98"],
].flatMap(([prefix = "", first = ""]) => first.split(" ").map((two) => [prefix, two] as const));

/** Old numbers of Benin and Ivory Coast, each with its current spelling. */
const replaced = fc.oneof(
  digits(8).map((line) => [`+229${line}`, `+22901${line}`] as const),
  fc
    .tuple(fc.constantFrom(...IVORIAN_MOBILES), digits(6))
    .map(([[prefix, two], rest]) => [`+225${two}${rest}`, `+225${prefix}${two}${rest}`] as const),
);

describe("Replaced numbering plans", () => {
  it("After a numbering plan was replaced, both spellings of a number are parsed unchanged, with and without plus", () => {
    fc.assert(
      fc.property(replaced, (spellings) => {
        for (const number of spellings) {
          expect(parsePhone(number, { requirePlus: true })).toBe(number);
          expect(parsePhone(number.slice(1))).toBe(number);
          expect(parsePhone(spacedPhone(number))).toBe(number);
          expect(inboundPhone(number.slice(1))).toBe(number);
        }
      }),
    );
  });

  it("After a numbering plan was replaced, both spellings of a number have the new spelling as their key", () => {
    fc.assert(
      fc.property(replaced, ([old, current]) => {
        expect([phoneKey(old), phoneKey(current)]).toEqual([current, current]);
        expect([otherSpellings(old), otherSpellings(current)]).toEqual([[current], [old]]);
        expect([isOldSpelling(old), isOldSpelling(current)]).toEqual([true, false]);
      }),
    );
  });

  it("An old number of Ivory Coast is its own key if its prefix belongs to no known operator", () => {
    const joined = new Set(IVORIAN_MOBILES.map(([, two]) => two));
    const others = Array.from({ length: 100 }, (_, two) => String(two).padStart(2, "0")).filter(
      (two) => !joined.has(two),
    );
    for (const two of others) {
      const number = `+225${two}123456`;
      expect([parsePhone(number), phoneKey(number), otherSpellings(number)]).toEqual([number, number, []]);
    }
  });

  it.each(["+23412345678", "+2348412345", "+263912345", "+26391234567", "+385800123", "+6831234", "+5215512345678"])(
    "A number with a length that its country used earlier is accepted: %s",
    (number) => {
      expect(parsePhone(number, { requirePlus: true })).toBe(number);
    },
  );

  it.each([
    ["BJ", "95 12 34 56", "+22995123456"],
    ["CI", "07 12 34 56", "+22507123456"],
    ["MX", "1 55 1234 5678", "+5215512345678"],
  ] as const)("A national number of a replaced numbering plan is parsed in %s: %s", (country, written, number) => {
    expect(parsePhoneIn(country, written)).toBe(number);
  });
});

describe("Example numbers", () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? []);

  it("The example number of every country is parsed unchanged, and has a key that no other example has", () => {
    expect(numbers.length).toBeGreaterThan(200);
    for (const number of numbers) {
      expect(parsePhone(number, { requirePlus: true })).toBe(number);
      expect(inboundPhone(number.slice(1))).toBe(number);
      expect(phoneKey(phoneKey(number))).toBe(phoneKey(number));
    }
    expect(new Set(numbers.map(phoneKey)).size).toBe(new Set(numbers).size);
  });

  it("The first five digits of a country's example number are rejected as a phone number", () => {
    for (const number of numbers) expect(parsePhone(number.slice(0, 6))).toBeNull();
  });
});

describe("Short numbers", () => {
  it.each(["+49 30 12", "+49 30 123", "+43 1234", "+82 30000", "+98 90000", "12345", "030 12"])(
    "A number that is too short is rejected: %s",
    (text) => {
      expect(parsePhone(text)).toBeNull();
    },
  );

  it.each([
    ["DE", "030 12"],
    ["DE", "112"],
    ["BJ", "9512 345"],
  ] as const)("A national number that is too short is rejected in %s: %s", (country, text) => {
    expect(parsePhoneIn(country, text)).toBeNull();
  });

  it.each(["+683 4002", "+500 21234", "+676 20123"])(
    "A short number is accepted if its country has such numbers: %s",
    (text) => {
      expect(parsePhone(text)).toBe(text.replaceAll(" ", ""));
    },
  );
});
