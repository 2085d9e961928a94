import { sql } from "drizzle-orm";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { shardDatabase } from "../../src/db/client.ts";
import { failBatchUnless, hasGuardFailed } from "../../src/db/guards.ts";
import { contactIdentities, contacts, tags } from "../../src/db/schema/index.ts";
import { transact } from "../../src/db/statement.ts";
import { isContention } from "../../src/features/commits/retry-on-contention.ts";

const db = shardDatabase(env, 0);
const errorOf = (...statements: Parameters<typeof transact>[1][string][]) =>
  transact(db, Object.fromEntries(statements.entries())).then(
    () => null,
    (error: unknown) => error,
  );

const newContact = (name: string, values: object = {}) =>
  db.insert(contacts).values({ seq: 0, id: name, workspaceId: "ws_guards", createdAt: 0, updatedAt: 0, ...values });

const newIdentity = () =>
  db
    .insert(contactIdentities)
    .values({ workspaceId: "ws_guards", provider: "waha", externalId: "guards", contactSeq: 1 });

const newTag = (number: number) =>
  db.insert(tags).values({
    workspaceId: "ws_guards",
    number,
    id: `tag_${number}`,
    name: "a",
    nameKey: "a",
    color: "",
    createdAt: 0,
  });

test("A batch with a guard fails with the guard's reason if the condition is false or NULL", async () => {
  expect(await errorOf(failBatchUnless(sql`1 = 1`, "rows changed"))).toBeNull();
  for (const condition of [sql`1 = 0`, sql`NULL`]) {
    const error = await errorOf(failBatchUnless(condition, "rows changed"));
    expect(hasGuardFailed(error)).toBe(true);
    expect(hasGuardFailed(error, "rows changed")).toBe(true);
    expect(hasGuardFailed(error, "facts changed")).toBe(false);
    expect(isContention(error)).toBe(true);
  }
});

test.each([
  ["phone number", newContact("g1", { seq: 1, phoneKey: "1" }), newContact("g2", { seq: 2, phoneKey: "1" })],
  ["email address", newContact("g1", { seq: 1, emailKey: "a" }), newContact("g2", { seq: 2, emailKey: "a" })],
  ["provider id", newIdentity(), newIdentity()],
])(
  "If two requests set the same %s on different contacts, the error counts as contention, which is retried",
  async (_, first, second) => {
    const error = await errorOf(first, second);
    expect(String(error)).toContain("UNIQUE constraint failed");
    expect(isContention(error)).toBe(true);
  },
);

test.each([
  ["repeated contact id", newContact("g1", { seq: 1 }), newContact("g1", { seq: 2 })],
  ["repeated contact number", newContact("g1", { seq: 1 }), newContact("g2", { seq: 1 })],
  ["repeated tag name", newTag(1), newTag(2)],
  ["malformed JSON", sql`SELECT json('no JSON')`, sql`SELECT 1`],
  ["invalid JSON path", sql`SELECT json_extract('{}', 'another path')`, sql`SELECT 1`],
])("A %s counts as an error, not as contention, because a retry would fail again", async (_, first, second) => {
  const error = await errorOf(first, second);
  expect(error).toBeInstanceOf(Error);
  expect(isContention(error)).toBe(false);
});
