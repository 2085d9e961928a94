import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const ANSWER = 65_536;
const ROW = 2048;

let customer: Customer;

beforeAll(async () => {
  customer = await new World().customer({ plan: "scale" });
});

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const nul = String.fromCodePoint(0);
const long = (character: string, bytes: number) => character.repeat(Math.floor(bytes / character.length));

async function refused(path: string, body: object): Promise<Answer["body"]> {
  const answer = await customer.call("POST", path, body);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "validation_failed" } } });
  expect(bytesOf(answer.body)).toBeLessThanOrEqual(ANSWER);
  return answer.body.error;
}

describe("Size of errors", () => {
  it("The error response to a body with a very long name and a thousand invalid fields has at most 64 KB", async () => {
    const { message, details } = await refused("/contacts", {
      [long("n", 300_000)]: Array.from({ length: 1000 }, () => nul),
    });
    expect(details.length).toBeGreaterThan(100);
    expect(message.length).toBeLessThan(1000);
    for (const { path } of details) {
      expect(path.length).toBeLessThanOrEqual(500);
      for (const part of path.split(".")) expect(part.length).toBeLessThanOrEqual(100);
    }
  });

  it("An error response cuts the path of an invalid field at 500 characters", async () => {
    const nested = Array.from({ length: 15 }).reduce<unknown>((inner) => ({ [long("p", 5000)]: inner }), nul);
    const { details } = await refused("/contacts", { name: nested });
    const paths: string[] = details.map(({ path }: { path: string }) => path);
    expect(Math.max(...paths.map(({ length }) => length))).toBe(500);
  });

  /** A response cannot contain all faults of these bodies. */
  const faulty = (count: number) => {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1]));
    return [
      {
        what: `${2 * count} wrong items`,
        body: { phone: "+14155550100", tags: Array.from({ length: 2 * count }, () => 1) },
      },
      { what: `${count} unknown names`, body: unknown },
      { what: `${count} unknown custom fields`, body: { phone: "+14155550100", custom_fields: unknown } },
    ];
  };

  it.each(faulty(5000))("The error response to 5,000 errors in $what has at most 64 KB", async ({ body }) => {
    expect((await refused("/contacts", body)).details.length).toBeGreaterThan(0);
  });

  it.each(faulty(90_000))(
    "The error response to 90,000 errors in $what has at most 64 KB",
    { tags: "long" },
    async ({ body }) => {
      expect((await refused("/contacts", body)).details.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ["one unknown custom field of 900 KB", { phone: "+14155550100", custom_fields: { [long("é", 450_000)]: 1 } }],
    ["names that JSON escapes", { [long(String.fromCodePoint(1), 150_000)]: 1 }],
  ])("The error response to a body with %s has at most 64 KB", async (_, body) => {
    expect((await refused("/contacts", body)).details.length).toBeGreaterThan(0);
  });

  it("The error for an invalid filter quotes only the beginning of a long name", async () => {
    const filter = { match: "all", conditions: [{ field: long("f", 20_000), op: long("o", 5000), value: 1 }] };
    const { details } = await refused("/segments", { name: "A", filter });
    for (const { message } of details) expect(message.length).toBeLessThanOrEqual(1000);
  });

  it("The error for a row in a batch has at most 2 KB, and valid rows are stored", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`field_${at}`, "x"]));
    const rows = [
      ...Array.from({ length: 400 }, () => ({ phone: phoneEnding("1111"), custom_fields: unknown })),
      { [long("n", 100_000)]: 1 },
      { phone: "+14155550100", [long("\n", 50_000)]: Array.from({ length: 1000 }, () => nul) },
      { phone: phoneEnding("1111") },
    ];
    const { status, body } = await customer.call("POST", "/contacts/batch", { contacts: rows });
    expect(status).toBe(200);
    expect(body.counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 402 });
    for (const result of body.results) expect(bytesOf(result)).toBeLessThanOrEqual(ROW);
    expect(body.results[0].error.details[0]).toMatchObject({ path: "custom_fields.field_0", code: "unknown_field" });
  });
});
