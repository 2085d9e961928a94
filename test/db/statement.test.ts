import { and, eq, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as z from "zod";
import { shardDatabase } from "../../src/db/client.ts";
import { tags } from "../../src/db/schema/index.ts";
import { fromJson } from "../../src/shared/text/json.ts";
import { renderBuilt, renderSql } from "../../src/db/drizzle-internals.ts";
import { bool } from "../../src/db/rows.ts";
import { fetchRow, fetchRows, statement, meteredTransact, transact } from "../../src/db/statement.ts";

const db = shardDatabase(env, 0);
const unchecked = Object.assign(Object.create(db), { checksRows: false });

const person = z.object({ name: z.string(), isKnown: bool, facts: fromJson(z.object({ age: z.number() })).nullable() });
const people = (facts: string | null) =>
  statement(person, sql`SELECT 'Ana' AS name, 1 AS isKnown, ${facts} AS facts WHERE TRUE`);

test.each([
  ["checked", db],
  ["unchecked", unchecked],
])("JSON and booleans of %s database rows are converted", async (_title, handle) => {
  expect(await fetchRows(handle, people('{"age":30}'))).toEqual([{ name: "Ana", isKnown: true, facts: { age: 30 } }]);
  expect(await fetchRow(handle, people(null))).toEqual({ name: "Ana", isKnown: true, facts: null });
});

test("In tests, a row whose shape differs from the declared shape throws an error; production does not check shapes", async () => {
  const wrong = statement(z.object({ count: z.string() }), sql`SELECT 1 AS count`);
  await expect(fetchRows(db, wrong)).rejects.toThrow("expected string");
  expect(await fetchRows(unchecked, wrong)).toEqual([{ count: 1 }]);
});

test("Production parses the JSON of a row with its schema only if the schema has defaults; tests always do", async () => {
  const rowOf = (shape: z.ZodType) =>
    statement(z.object({ facts: fromJson(shape) }), sql`SELECT '{"age":30}' AS facts`);
  const withDefault = rowOf(z.object({ age: z.number(), tags: z.array(z.string()).default([]) }));
  expect(await fetchRow(unchecked, withDefault)).toEqual({ facts: { age: 30, tags: [] } });
  const wrong = rowOf(z.object({ age: z.string() }));
  await expect(fetchRow(db, wrong)).rejects.toThrow("expected string");
  expect(await fetchRow(unchecked, wrong)).toEqual({ facts: { age: 30 } });
});

test("A statement is rendered as Drizzle renders it, except that each parameter is wrapped in likely()", () => {
  const query = sql`SELECT ${tags.id}, ${sql.identifier('a"b')}, ${1}, ${null}, ${sql`${"x"}`}, ${["y", 2]}, ${undefined}
    FROM ${tags} WHERE ${eq(tags.name, "z")} AND ${sql.join([sql`TRUE`, sql.raw("1")], sql` OR `)}`;
  const { sql: text, params } = new SQLiteAsyncDialect().sqlToQuery(query);
  expect(renderSql(query)).toEqual({ sql: text.replaceAll("?", "likely(?)"), params });
});

test("A question mark in a string is not a parameter", async () => {
  const isNamed = and(eq(tags.name, "x"), sql`'is it?' <> ${tags.name}`);
  const built = db.select({ name: tags.name }).from(tags).where(isNamed).limit(1);
  expect(renderBuilt(built).sql).toBe(
    `select "name" from "tags" where ("tags"."name" = likely(?) and 'is it?' <> "tags"."name") limit likely(?)`,
  );
  expect(await fetchRow(db, built)).toBeUndefined();
});

test("If a statement has more parameters than D1 allows, equal parameters are bound only once", async () => {
  const parts = Array.from({ length: 300 }, (_, n) => sql`${n % 3}`);
  const query = sql`SELECT ${7} AS n WHERE ${2} IN (${sql.join(parts, sql`, `)}) AND ${"2"} NOT IN (${3})`;
  expect(renderSql(query).params).toEqual([7, 2, 0, 1, "2", 3]);
  expect(await fetchRow(db, statement(z.object({ n: z.number() }), query))).toEqual({ n: 7 });
});

test("A database batch returns the rows of each statement under the statement's name", async () => {
  const one = statement(z.object({ n: z.number() }), sql`SELECT 1 AS n`);
  const two = statement(z.object({ n: z.number() }), sql`SELECT 2 AS n`);
  const rows = await transact(db, {
    writes: [sql`SELECT 0`, sql`SELECT 0`],
    none: [],
    one,
    both: [one, two],
    built: db.select({ id: tags.id, name: tags.name }).from(tags).limit(1),
    change: sql`SELECT 0`,
  });
  expect(rows).toEqual({
    writes: [undefined, undefined],
    none: [],
    one: [{ n: 1 }],
    both: [{ n: 1 }, { n: 2 }],
    built: [],
    change: undefined,
  });
  expect(rows.both.map(({ n }) => n)).toEqual([1, 2]);
});

test("A database batch is one transaction", async () => {
  await transact(db, { create: sql`CREATE TABLE statement_test (n INTEGER UNIQUE)` });
  const add = (n: number) => sql`INSERT INTO statement_test VALUES (${n})`;
  await expect(transact(db, { first: add(1), again: [add(2), add(1)] })).rejects.toThrow("UNIQUE");
  const count = statement(z.object({ count: z.number() }), sql`SELECT count(*) AS count FROM statement_test`);
  const { rows, rowsRead } = await meteredTransact(db, { count });
  expect(rows.count).toEqual([{ count: 0 }]);
  expect(rowsRead).toBe(0);
  await transact(db, { drop: sql`DROP TABLE statement_test` });
});
