import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePhone, parsePhoneIn, spacedPhone } from "../../src/shared/phone.ts";

const digits = fc.stringMatching(/^\d{9}$/);

describe("reading a number as it is dialled in a country", () => {
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
  ] as const)("in %s, %s is %s", (country, written, e164) => {
    expect(parsePhoneIn(country, written)).toBe(e164);
  });
});

describe("a number in groups", () => {
  it.each([
    ["+14155550100", "+1 415 555 0100"],
    ["+5511987654321", "+55 11 98765 4321"],
    ["+4912", "+49 12"],
  ])("%s is %s", (e164, spaced) => {
    expect(spacedPhone(e164)).toBe(spaced);
  });

  it("is text with all its digits, and is read back as it was", () => {
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
