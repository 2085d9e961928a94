import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlDatabase } from "../../src/db/client.ts";
import { phoneKeyOf } from "../../src/features/contacts/identity/address-keys.sql.ts";
import { parsePhone, phoneKey } from "../../src/shared/text/phone.ts";

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((each) => each.join(""));

/** Mostly possible numbers of countries with more than one spelling, and some numbers of any country. */
const number = fc
  .tuple(
    fc.constantFrom(
      "52",
      "521",
      "54",
      "549",
      "54911",
      "55",
      "5511",
      "5521",
      "5553",
      "229",
      "22901",
      "225",
      "22507",
      "1",
      "49",
    ),
    digits(6, 12),
  )
  .map((parts) => `+${parts.join("")}`);

/** One statement for many addresses: one statement per address would take most of the time. */
async function keysInSql(addresses: string[]): Promise<string[]> {
  const rows = await controlDatabase(env).all<{ key: string }>(
    sql`SELECT ${phoneKeyOf(sql`e.value`)} AS key FROM json_each(${JSON.stringify(addresses)}) e ORDER BY e.key`,
  );
  return rows.map(({ key }) => key);
}

describe("Phone keys in SQL", () => {
  it("The phone key in SQL equals the phone key in TypeScript for every stored number", () =>
    fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 400, maxLength: 400 }), async (numbers) => {
        const stored = numbers.flatMap((each) => parsePhone(each) ?? []);
        expect(await keysInSql(stored)).toEqual(stored.map(phoneKey));
      }),
      { numRuns: 10 },
    ));

  it("The phone key in SQL is correct for each area of Brazil", async () => {
    const areas = Array.from({ length: 90 }, (_, index) => index + 10);
    const numbers = areas.flatMap((area) => [5, 6, 9].map((first) => `+55${area}${first}1234567`));
    expect(await keysInSql(numbers)).toEqual(numbers.map(phoneKey));
  });

  it("The phone key in SQL is correct for each operator of Ivory Coast", async () => {
    const numbers = Array.from({ length: 100 }, (_, first) => `+225${String(first).padStart(2, "0")}123456`);
    expect(await keysInSql(numbers)).toEqual(numbers.map(phoneKey));
  });

  it("The phone key in SQL does not change a provider's id", async () => {
    const ids = ["US.13491208655302741918", "123456789012345@lid", "user.1"];
    expect(await keysInSql(ids)).toEqual(ids);
  });
});
