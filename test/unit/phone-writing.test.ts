import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examplePhone } from "../../src/shared/text/example-phone.ts";
import {
  isOldSpelling,
  lacksCallingCode,
  otherSpellings,
  parsePhone,
  parsePhoneIn,
  phoneCountries,
  phoneKey,
  spacedPhone,
} from "../../src/shared/text/phone.ts";

const digits = fc.stringMatching(/^\d{9}$/);

describe("National numbers", () => {
  it.each([
    ["DE", "0170 1234567", "+491701234567"],
    ["DE", "491701234567", "+491701234567"],
    ["DE", "+41 79 123 45 67", "+41791234567"],
    ["US", "(415) 555-0100", "+14155550100"],
    ["US", "14155550100", "+14155550100"],
    ["US", "011 49 170 1234567", "+491701234567"],
    ["IT", "06 1234 5678", "+390612345678"],
    ["GB", "020 7946 0958", "+442079460958"],
    ["BR", "55987654321", "+5555987654321"],
    ["AR", "011 15 1234-5678", "+5491112345678"],
    ["DE", "12", null],
    ["DE", "ring me", null],
  ] as const)("In %s, the number %s is parsed as %s", (country, written, e164) => {
    expect(parsePhoneIn(country, written)).toBe(e164);
  });
});

describe("Slashes", () => {
  it.each([
    ["DE", "030/901820", "+4930901820"],
    ["DE", "0151/23456788", "+4915123456788"],
    ["DE", "0151 / 234 567-88", "+4915123456788"],
    ["DE", "(030) / 90 18 20", "+4930901820"],
    ["DE", "033232/12345", "+493323212345"],
    ["DE", "030／901820", "+4930901820"],
    ["DE", "+49 30/901820", "+4930901820"],
    ["DE", "+49/30/901820", "+4930901820"],
    ["DE", "+49 (0)33232/12345", "+493323212345"],
    ["US", "0049/30/901820", "+4930901820"],
    [null, "+49 (0)30/901820", "+4930901820"],
    [null, "tel:+49/170/1234567", "+491701234567"],
    ["AT", "0664/1234567", "+436641234567"],
    ["BE", "0475/12.34.56", "+32475123456"],
    ["IT", "347/1234567", "+393471234567"],
    ["FR", "06/12/34/56/78", "+33612345678"],
    ["US", "415/555-0100", "+14155550100"],
  ] as const)("A slash separates the parts of a number in %s: %s is %s", (country, written, e164) => {
    expect(parsePhoneIn(country, written)).toBe(e164);
  });

  it.each([
    ["DE", "01/02/2026"],
    ["DE", "1/2/2026"],
    ["DE", "01/2026"],
    ["DE", "2026/01/02"],
    ["DE", "31/12/1990"],
    [null, "31/12/1990"],
    ["DE", "030 5550/5551"],
    ["DE", "030 901820/21"],
    ["DE", "030/901820/21"],
    ["DE", "030/901820 / 0151/23456788"],
    ["DE", "+49 30 5550/5551"],
    ["DE", "+49 30 901820/+49 30 901821"],
    ["DE", "030//901820"],
    ["DE", "/030901820"],
    ["DE", "030901820/"],
    ["DE", "n/a"],
    [null, "030/901820"],
    [null, "491/701234567"],
    [null, "49/170/1234567"],
  ] as const)("A text with a slash that is not one phone number is rejected in %s: %s", (country, written) => {
    expect(parsePhoneIn(country, written)).toBeNull();
  });
});

describe("Numbers without calling codes", () => {
  it.each([
    ["030/901820", true],
    ["0151 23456788", true],
    ["(415) 555-0100", true],
    ["4915123456788", true],
    ["+49 151 23456788", false],
    ["0049 151 23456788", false],
    ["+49 30/901820", false],
    ["ring me", false],
    ["", false],
  ])("A number without a calling code is recognized as national, %s: %s", (written, lacks) => {
    expect(lacksCallingCode(written)).toBe(lacks);
  });
});

describe("Example numbers", () => {
  it("The example number of a country is parsed in national and international form", () => {
    expect(examplePhone("DE")).toEqual({ national: "01512 3456789", international: "+49 1512 3456789" });
    const examples = phoneCountries().map((country) => ({ country, example: examplePhone(country) }));
    expect(examples.filter(({ example }) => example !== null).length).toBeGreaterThan(200);
    for (const { country, example } of examples) {
      if (example === null) continue;
      const e164 = parsePhone(example.international, { requirePlus: true });
      expect(e164, country).not.toBeNull();
      expect(phoneKey(parsePhoneIn(country, example.national) ?? ""), country).toBe(phoneKey(e164 ?? ""));
    }
  });
});

describe("Old spellings", () => {
  it.each([
    ["+551187651105", "+5511987651105"],
    ["+5215512345678", "+525512345678"],
    ["+541123456789", "+5491123456789"],
  ])("The number %s is an old spelling of %s", (old, kept) => {
    expect(isOldSpelling(old)).toBe(true);
    expect(isOldSpelling(kept)).toBe(false);
    expect(otherSpellings(old)).toContain(kept);
  });

  it("A number that has only one spelling is not an old spelling", () => {
    for (const number of ["+14155550100", "+4930901820", "+551132345678"]) expect(isOldSpelling(number)).toBe(false);
  });
});

describe("Grouped numbers", () => {
  it.each([
    ["+14155550100", "+1 415 555 0100"],
    ["+5511987654321", "+55 11 98765 4321"],
    ["+4912", "+49 12"],
  ])("The number %s is grouped as %s", (e164, spaced) => {
    expect(spacedPhone(e164)).toBe(spaced);
  });

  it("Grouping the digits of a phone number changes neither the digits nor the parsed number", () => {
    const numbers = fc.tuple(fc.constantFrom("1", "49", "39", "52", "521", "55", "549", "81", "979"), digits);
    fc.assert(
      fc.property(numbers, ([code, rest]) => {
        const number = `+${code}${rest}`;
        const spaced = spacedPhone(number);
        expect(spaced).toMatch(/^\+\d+( \d+)+$/);
        expect(spaced.replaceAll(" ", "")).toBe(number);
        expect(parsePhone(spaced)).toBe(parsePhone(number));
      }),
    );
  });
});
