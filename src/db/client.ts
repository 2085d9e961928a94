import { drizzle } from "drizzle-orm/d1";
import type { SQL as DrizzleSql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Database } from "../shared/context.ts";

/** A statement, or a part of one. Services hand it on without knowing how it is built. */
export type SQL = DrizzleSql;

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && Reflect.has(binding, "prepare");

function bindingOf(env: Env, shard: number): unknown {
  return shard === 0 ? env.DB : Reflect.get(env, `DB_SHARD_${shard}`);
}

export const controlDatabase = (env: Env): Database => drizzle(env.DB);

/** Shards are numbered without gaps; `DB` is shard 0, `DB_SHARD_1` the next. */
export function shardCount(env: Env): number {
  let count = 1;
  while (isDatabase(bindingOf(env, count))) count++;
  return count;
}

export function shardDatabase(env: Env, shard: number): Database {
  const binding = bindingOf(env, shard);
  if (!isDatabase(binding)) throw new Error(`Shard ${shard} has no database binding.`);
  return drizzle(binding);
}

const dialect = new SQLiteAsyncDialect();

/**
 * Runs statements as one transaction and one round trip; gives the rows of each. Selected columns need distinct names.
 * Drizzle's own batch loses the parameters of raw SQL.
 */
export const batch = async (db: Database, statements: SQL[]): Promise<unknown[][]> =>
  (await timedBatch(db, statements)).rows;

/** As `batch`; `sqlMs` is how long the database worked. */
export async function timedBatch(db: Database, statements: SQL[]): Promise<{ rows: unknown[][]; sqlMs: number }> {
  if (statements.length === 0) return { rows: [], sqlMs: 0 };
  const prepared = statements.map((statement) => {
    const query = dialect.sqlToQuery(statement);
    return db.$client.prepare(query.sql).bind(...query.params);
  });
  const results = await db.$client.batch(prepared);
  return {
    rows: results.map(({ results: rows }) => rows),
    sqlMs: results.reduce((sum, { meta }) => sum + meta.duration, 0),
  };
}

/**
 * How SQLite words the failure of a batch whose rows are not as it took them to be: it is made to fail by `json('…')` of what is no
 * JSON, or by a unique index.
 */
const CONTRADICTED = /malformed JSON|UNIQUE constraint failed/;

/** Whether a batch changed nothing because another request had changed its rows first. It may be planned anew. */
export const isContradicted = (error: unknown): boolean => error instanceof Error && CONTRADICTED.test(error.message);

/** D1 takes values up to 2 MB; counted in UTF-16 units, of which one is at most three bytes. */
const MAX_LIST = 600_000;

/** Rows as JSON lists that each fit into one parameter, for `json_each`: one list but for the longest of texts. */
export function jsonLists(rows: readonly object[]): string[] {
  const lists: string[][] = [];
  let room = 0;
  for (const json of rows.map((row) => JSON.stringify(row))) {
    if (json.length > room) {
      lists.push([]);
      room = MAX_LIST;
    }
    lists.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}
