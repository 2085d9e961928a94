import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inboundPhone, otherSpellings, parsePhone, phoneKey } from "../../src/shared/text/phone.ts";

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const starting = (first: string, rest: number) =>
  fc.tuple(fc.constantFrom(...first), digits(rest)).map((parts) => parts.join(""));

const brazilianArea = fc.constantFrom(..."11 19 21 22 24 27 28 31 38 41 49 51 55 61 69 71 79 81 89 91 99".split(" "));
const argentinian = fc.constantFrom<[string, number]>(["11", 8], ["223", 7], ["351", 7], ["2966", 6], ["3541", 6]);
const mexican = starting("23456789", 9);

describe("Parsed numbers", () => {
  it.each([
    ["+49 170 123-45.67", "+491701234567"],
    ["+1 (415) 555-2671", "+14155552671"],
    ["(+44) [20] 7946 0958", "+442079460958"],
    ["+44 (0)20 7946 0958", "+442079460958"],
    ["  +33 6 12 34 56 78\n", "+33612345678"],
    ["＋８１\u00a0９０\u2011１２３４\u2011５６７８", "+819012345678"],
    ["\u202a+972\u201150\u2212123\u20144567\u202c", "+972501234567"],
    ["+39 06 1234 5678", "+390612345678"],
    ["+979 123 456 789", "+979123456789"],
    ["0049 170 1234567", "+491701234567"],
    ["００４９ (170) 1234567", "+491701234567"],
    ["tel:+49-170-1234567", "+491701234567"],
    ["TEL:0049 170 1234567", "+491701234567"],
  ])("The phone number %s is parsed as %s", (written, e164) => {
    expect(parsePhone(written, { requirePlus: true })).toBe(e164);
  });

  it.each(["+15555555555", "+5215512345678", "+551187654321", "+5511987654321", "+541187654321", "+5491187654321"])(
    "The phone number %s is accepted unchanged, because messaging apps use such numbers",
    (number) => {
      expect(parsePhone(number, { requirePlus: true })).toBe(number);
    },
  );

  it.each([
    "",
    "+",
    "++4917012345678",
    "49+17012345678",
    "+49 170 1234567 ext. 5",
    "tel:",
    "tel:+",
    "tel:170 1234567;phone-context=+49",
    "tel:+491701234567;ext=5",
    "sms:+491701234567",
    "000049 170 1234567",
    "+tel:491701234567",
    "+1-800-FLOWERS",
    "+49/170/1234567",
    "+49,1701234567",
    "+999 123456789",
    "+210 123456789",
    "+0049 170 1234567",
    "+49",
    "+4912",
    "+1415555267",
    "+141555526711",
    "+491234567890123456",
    "+52155123456",
    "+52155123456789",
    "+14155552671;ext=5",
    "+1 415 555 2671 🙂",
    "०१२३४५६७८९",
  ])("The phone number %j is rejected", (text) => {
    expect(parsePhone(text)).toBeNull();
  });

  it("A phone number needs a plus only with requirePlus", () => {
    expect(parsePhone("491701234567")).toBe("+491701234567");
    expect(parsePhone("491701234567", { requirePlus: true })).toBeNull();
    expect(parsePhone("0170 1234567")).toBeNull();
  });

  it("An Argentinian mobile number with 15 is parsed as its international form", () => {
    for (const written of ["+54 11 15 8765 4321", "+54 9 11 15 8765 4321", "+54 (0)11 15-8765-4321"])
      expect(parsePhone(written)).toBe("+5491187654321");
    expect(parsePhone("+54 2966 15 123456")).toBe("+5492966123456");
    expect(parsePhone("+54 223 15 123 4567")).toBe("+5492231234567");
    expect(parsePhone("+54 11 1512-3456")).toBe("+541115123456");
  });

  it("Parsing a parsed number returns the same number", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 24 }),
      fc.stringMatching(/^\+?[1-9][\d ().-]{6,20}$/),
      fc.stringMatching(/^\+(1|7|39|44|49|52|521|54|549|55|61|81|225|229|241)0?\d{7,11}$/),
    );
    fc.assert(
      fc.property(text, (written) => {
        const number = parsePhone(written);
        if (number === null) return;
        expect(number).toMatch(/^\+[1-9]\d{4,14}$/);
        expect(parsePhone(number, { requirePlus: true })).toBe(number);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("Ids of senders", () => {
  it("A sender's id is parsed as a phone number, with and without a plus", () => {
    expect(inboundPhone("5511987654321")).toBe("+5511987654321");
    expect(inboundPhone("+491701234567")).toBe("+491701234567");
  });

  it("A sender's id is never rejected", () => {
    expect(inboundPhone("999123")).toBe("+999123");
    fc.assert(
      fc.property(fc.stringMatching(/^\d{3,20}$/), (id) => {
        expect(inboundPhone(id)).toMatch(/^\+\d+$/);
      }),
    );
  });
});

describe("Keys of phone numbers", () => {
  it("A Brazilian mobile number has the same key with and without its ninth digit", () => {
    fc.assert(
      fc.property(brazilianArea, starting("6789", 7), (area, line) => {
        expect(phoneKey(`+55${area}${line}`)).toBe(phoneKey(`+55${area}9${line}`));
      }),
    );
  });

  it("A Brazilian landline is not treated as the mobile number that has an extra 9", () => {
    fc.assert(
      fc.property(brazilianArea, starting("2345", 7), (area, line) => {
        expect(phoneKey(`+55${area}${line}`)).toBe(`+55${area}${line}`);
        expect(phoneKey(`+55${area}9${line}`)).toBe(`+55${area}9${line}`);
      }),
    );
    for (const special of ["+558007654321", "+554007654321", "+552087654321"]) expect(phoneKey(special)).toBe(special);
  });

  it("A Mexican mobile number has the same key with and without its 1", () => {
    fc.assert(
      fc.property(mexican, (number) => {
        expect(phoneKey(`+521${number}`)).toBe(`+52${number}`);
        expect(phoneKey(`+52${number}`)).toBe(`+52${number}`);
      }),
    );
    expect(phoneKey("+5211234567890")).toBe("+5211234567890");
  });

  it("An Argentinian mobile number has the same key with and without 9 or 15", () => {
    fc.assert(
      fc.property(
        argentinian.chain(([area, length]) => fc.tuple(fc.constant(area), digits(length))),
        ([area, line]) => {
          for (const spelling of [`54${area}${line}`, `549${area}${line}`, `54${area}15${line}`, `549${area}15${line}`])
            expect(phoneKey(`+${spelling}`)).toBe(`+54${area}${line}`);
        },
      ),
    );
    for (const other of ["+548001234567", "+5480012345678", "+5490012345678"]) expect(phoneKey(other)).toBe(other);
  });

  it("The key of a phone number is its own key, and can be parsed as a phone number", () => {
    const prefix = fc.constantFrom(
      "",
      "52",
      "521",
      "54",
      "549",
      "5411",
      "541115",
      "54223",
      "55",
      "5511",
      "5531",
      "1",
      "49",
    );
    fc.assert(
      fc.property(prefix, fc.stringMatching(/^\d{6,13}$/), (code, rest) => {
        const key = phoneKey(inboundPhone(code + rest));
        expect(phoneKey(key)).toBe(key);
        const read = parsePhone(code + rest);
        if (read !== null) expect(parsePhone(phoneKey(read))).not.toBeNull();
      }),
      { numRuns: 5000 },
    );
  });

  it("Phone numbers have the same key only if they are spellings of the same number", () => {
    const number = fc.oneof(
      fc.tuple(brazilianArea, fc.constantFrom("", "9"), starting("23456789", 7)).map((parts) => `+55${parts.join("")}`),
      fc.tuple(fc.constantFrom("", "1"), mexican).map((parts) => `+52${parts.join("")}`),
      fc
        .tuple(fc.constantFrom("", "9"), fc.constantFrom("11", "22", "35"), digits(8))
        .map((parts) => `+54${parts.join("")}`),
      fc.stringMatching(/^\+(1|49|91)[2-9]\d{9}$/),
    );
    const spellings = (key: string) => [
      key,
      key.replace(/^\+55(\d\d)9([6-9]\d{7})$/, "+55$1$2"),
      key.replace(/^\+52(\d{10})$/, "+521$1"),
      key.replace(/^\+54(\d{10})$/, "+549$1"),
    ];
    const one = fc.tuple(number, fc.nat(16), fc.stringMatching(/^\d?$/));
    fc.assert(
      fc.property(one, ([a, at, digit]) => {
        const place = 1 + (at % (a.length - 1));
        const b = a.slice(0, place) + digit + a.slice(place + (digit === "" ? 1 : 0));
        if (phoneKey(a) === phoneKey(b)) expect(spellings(phoneKey(a))).toEqual(expect.arrayContaining([a, b]));
        else expect(spellings(phoneKey(a))).not.toContain(b);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("Other spellings of a number", () => {
  it.each([
    ["+5511987654321", ["+551187654321"]],
    ["+551187654321", ["+5511987654321"]],
    ["+525512345678", ["+5215512345678"]],
    ["+5215512345678", ["+525512345678"]],
    ["+5491123456789", ["+541123456789"]],
    ["+541123456789", ["+5491123456789"]],
    ["+551133334444", []],
    ["+14155550100", []],
    ["+491701234567", []],
  ])("The other spellings of the number %s are %j", (number, others) => {
    expect(otherSpellings(number)).toEqual(others);
  });

  it("The other spellings of a phone number have its key, and have the number among their other spellings", () => {
    const numbers = fc.oneof(
      fc.tuple(brazilianArea, starting("6789", 7)).map(([area, line]) => `+55${area}9${line}`),
      mexican.map((number) => `+52${number}`),
      argentinian.chain(([area, rest]) => digits(rest).map((line) => `+549${area}${line}`)),
    );
    fc.assert(
      fc.property(numbers, (number) => {
        for (const other of otherSpellings(number)) {
          expect(phoneKey(other)).toBe(phoneKey(number));
          expect(otherSpellings(other)).toContain(number);
        }
      }),
    );
  });
});
