import { drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { SQL } from "./statement.ts";
import type { Database } from "../shared/context.ts";

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && Reflect.has(binding, "prepare");

function bindingOf(env: Env, shard: number): unknown {
  return shard === 0 ? env.DB : Reflect.get(env, `DB_SHARD_${shard}`);
}

const open = (env: Env, binding: D1Database): Database =>
  Object.assign(drizzle(binding), { checksRows: Reflect.get(env, "CHECK_ROWS") === "true" });

export const controlDatabase = (env: Env): Database => open(env, env.DB);

/** Shards are numbered without gaps; `DB` is shard 0, `DB_SHARD_1` the next. */
export function shardCount(env: Env): number {
  let count = 1;
  while (isDatabase(bindingOf(env, count))) count++;
  return count;
}

export function shardDatabase(env: Env, shard: number): Database {
  const binding = bindingOf(env, shard);
  if (!isDatabase(binding)) throw new Error(`Shard ${shard} has no database binding.`);
  return open(env, binding);
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
