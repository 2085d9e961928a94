import { getCountries, getExampleNumber } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { otherSpellings, parsePhone, parsePhoneIn, phoneKey } from "../../src/shared/phone.ts";

describe("reading a phone number of any country's plan", () => {
  const metadata = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? []);

  it("takes the example number of every country, and its key is its own key", () => {
    expect(metadata.length).toBeGreaterThan(200);
    for (const { number } of metadata) {
      expect(parsePhone(number, { requirePlus: true })).toBe(number);
      expect(phoneKey(phoneKey(number))).toBe(phoneKey(number));
    }
  });

  it.each([
    ["+22995123456", "+2290195123456"],
    ["+22507123456", "+2250707123456"],
    ["+22541123456", "+2250141123456"],
    ["+22585123456", "+2250585123456"],
  ])("takes %s, from before its country replaced its numbers, for %s", (old, now) => {
    expect(parsePhone(old, { requirePlus: true })).toBe(old);
    expect([phoneKey(old), phoneKey(now)]).toEqual([now, now]);
    expect([otherSpellings(old), otherSpellings(now)]).toEqual([[now], [old]]);
  });

  it.each(["+22520212345", "+22540123456"])(
    "takes %s, whose new spelling the plan does not tell, as it is",
    (number) => {
      expect([parsePhone(number), phoneKey(number)]).toEqual([number, number]);
    },
  );

  it("refuses what is too short for a number of its country", () => {
    expect(parsePhoneIn("DE", "030 12")).toBeNull();
    expect(parsePhone("+49 30 12")).toBeNull();
    expect(parsePhone("+683 4002")).toBe("+6834002");
  });
});
