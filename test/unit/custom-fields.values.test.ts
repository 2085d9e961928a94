import { describe, expect, it } from "vitest";
import {
  checkCustomFieldValues,
  type FieldDefinition,
  type FieldType,
} from "../../src/features/custom-fields/custom-fields.values.ts";

const OPTIONS = ["gold", "silver", "toString"];

const define = (type: FieldType, options: string[] = []): FieldDefinition => ({
  number: 7,
  key: "it",
  type,
  options: type.endsWith("select") && options.length === 0 ? OPTIONS : options,
  removed: ["bronze"],
});

const check = (type: FieldType, value: unknown) => checkCustomFieldValues([define(type)], { it: value });

describe("Valid values", () => {
  it.each<[FieldType, unknown, unknown]>([
    ["text", " Hello ", "Hello"],
    ["text", "😀".repeat(2000), "😀".repeat(2000)],
    ["text", "'; DROP TABLE contacts; --", "'; DROP TABLE contacts; --"],
    ["number", 0, 0],
    ["number", -1.5e300, -1.5e300],
    ["boolean", false, false],
    ["boolean", true, true],
    ["date", "2024-02-29", "2024-02-29"],
    ["date", " 2026-01-31 ", "2026-01-31"],
    ["datetime", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["datetime", "2026-01-31T09:30:00+05:30", "2026-01-31T04:00:00.000Z"],
    ["datetime", "2025-12-31T23:30:00.123456-01:00", "2026-01-01T00:30:00.123Z"],
    ["select", "gold", "gold"],
    ["select", " toString ", "toString"],
    ["multi_select", ["silver", "gold"], ["silver", "gold"]],
    ["multi_select", [], null],
    ["country", "BR", "BR"],
    ["country", "de", "DE"],
    ["country", "Ax", "AX"],
    ["url", "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["url", "HTTP://localhost:8080", "HTTP://localhost:8080"],
    ["url", `https://example.com/${"a".repeat(1980)}`, `https://example.com/${"a".repeat(1980)}`],
    ["email", "Ada.Lovelace+1@Example.com", "Ada.Lovelace+1@Example.com"],
    ["email", "josé@exämple.com", "josé@exämple.com"],
    ["phone", "+1 (415) 555-0100", "+14155550100"],
    ["phone", "4915112345678", "+4915112345678"],
    ["phone", "+551187654321", "+551187654321"],
  ])("A custom field of type %s accepts %j", (type, value, stored) => {
    expect(check(type, value)).toEqual({ values: { 7: stored }, faults: [] });
  });

  it("Null clears a custom field of any type", () => {
    for (const type of ["text", "number", "boolean", "date", "select", "multi_select", "country", "phone"] as const) {
      expect(check(type, null)).toEqual({ values: { 7: null }, faults: [] });
    }
  });

  it("A custom field for a country accepts the 249 official codes", () => {
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const taken = codes.filter((code) => check("country", code).faults.length === 0);
    expect(taken).toHaveLength(249);
    expect(taken).not.toContain("XK");
    expect(taken).not.toContain("UK");
    expect(taken).not.toContain("EU");
  });
});

describe("Invalid values", () => {
  it.each<[FieldType, unknown, string]>([
    ["text", 5, "invalid_type"],
    ["text", ["a"], "invalid_type"],
    ["text", " \n ", "invalid_value"],
    ["text", "x".repeat(2001), "invalid_value"],
    ["number", "5", "invalid_type"],
    ["number", Number.POSITIVE_INFINITY, "invalid_value"],
    ["number", Number.NaN, "invalid_value"],
    ["number", true, "invalid_type"],
    ["boolean", "true", "invalid_type"],
    ["boolean", 1, "invalid_type"],
    ["date", "2026-02-29", "invalid_value"],
    ["date", "2026-2-1", "invalid_value"],
    ["date", "31.01.2026", "invalid_value"],
    ["date", "2026-01-31T00:00:00Z", "invalid_value"],
    ["date", 1_700_000_000, "invalid_type"],
    ["datetime", "2026-01-31T09:30:00", "invalid_value"],
    ["datetime", "2026-01-31", "invalid_value"],
    ["datetime", "2026-01-31T09:30Z", "invalid_value"],
    ["datetime", "2026-02-30T09:30:00Z", "invalid_value"],
    ["datetime", "2026-01-31T25:00:00Z", "invalid_value"],
    ["datetime", "9999-12-31T23:30:00-01:00", "invalid_value"],
    ["datetime", "0000-01-01T00:30:00+01:00", "invalid_value"],
    ["select", "Gold", "invalid_value"],
    ["select", "bronze", "invalid_value"],
    ["select", "", "invalid_value"],
    ["select", ["gold"], "invalid_type"],
    ["select", "constructor", "invalid_value"],
    ["multi_select", "gold", "invalid_type"],
    ["multi_select", ["gold", "gold"], "invalid_value"],
    ["multi_select", ["gold", " gold"], "invalid_value"],
    ["multi_select", ["gold", "bronze"], "invalid_value"],
    ["multi_select", ["gold", null], "invalid_value"],
    ["multi_select", [["gold"]], "invalid_value"],
    ["multi_select", { 0: "gold" }, "invalid_value"],
    ["country", "XK", "invalid_value"],
    ["country", "UK", "invalid_value"],
    ["country", "BRA", "invalid_value"],
    ["country", "ß", "invalid_value"],
    ["country", "Brazil", "invalid_value"],
    ["url", "example.com", "invalid_value"],
    ["url", "ftp://example.com", "invalid_value"],
    ["url", "javascript:alert(1)", "invalid_value"],
    ["url", "https://", "invalid_value"],
    ["url", "https://exa mple.com", "invalid_value"],
    ["url", `https://example.com/${"a".repeat(1981)}`, "invalid_value"],
    ["email", "ada", "invalid_value"],
    ["email", "ada@", "invalid_value"],
    ["email", "ada lovelace@example.com", "invalid_value"],
    ["email", `${"a".repeat(60)}@${"b".repeat(190)}.com`, "invalid_value"],
    ["phone", "12", "invalid_value"],
    ["phone", "call me", "invalid_value"],
    ["phone", 14155550100, "invalid_type"],
  ])("A custom field of type %s rejects %j", (type, value, code) => {
    const { values, faults } = check(type, value);
    expect(values).toEqual({});
    expect(faults).toEqual([{ path: "custom_fields.it", code, message: expect.stringMatching(/^Must be /) }]);
  });

  it("The error for a value of a custom field contains the key, the type and the allowed options", () => {
    expect(check("select", "x").faults[0]?.message).toBe(`Must be one of "gold", "silver", "toString".`);
    expect(check("multi_select", ["x"]).faults[0]?.message).toContain(`options out of "gold", "silver", "toString"`);
    expect(check("number", "x").faults[0]?.message).toBe("Must be a number.");
  });

  it("The error for a value of a custom field is short, even if the field has many options", () => {
    const options = Array.from({ length: 200 }, (_, index) => `option ${index}`);
    const { faults } = checkCustomFieldValues([define("select", options)], { it: "x" });
    expect(faults[0]?.message).toContain(`"option 19" … (200 in all)`);
    expect(faults[0]?.message).not.toContain("option 20");
    expect(checkCustomFieldValues([define("select", options)], { it: "option 199" }).values).toEqual({
      7: "option 199",
    });
  });

  it("All invalid values and unknown keys of custom fields are reported at once, and valid values are still read", () => {
    const definitions: FieldDefinition[] = [
      { number: 1, key: "age", type: "number", options: [], removed: [] },
      { number: 2, key: "born", type: "date", options: [], removed: [] },
      { number: 3, key: "plan", type: "text", options: [], removed: [] },
    ];
    const input: Record<string, unknown> = JSON.parse(
      `{"age": "x", "born": "y", "plan": "pro", "Plan": "pro", "constructor": 1, "__proto__": 2}`,
    );
    const { values, faults } = checkCustomFieldValues(definitions, input);
    expect(values).toEqual({ 3: "pro" });
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ["custom_fields.age", "invalid_type"],
      ["custom_fields.born", "invalid_value"],
      ["custom_fields.Plan", "unknown_field"],
      ["custom_fields.constructor", "unknown_field"],
      ["custom_fields.__proto__", "unknown_field"],
    ]);
    expect(faults[2]?.message).toContain(`"Plan"`);
  });
});
