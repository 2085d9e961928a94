import { drizzle } from "drizzle-orm/d1";
import type { Database } from "../shared/context.ts";
import { shareBatches } from "./share-batches.ts";

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && Reflect.has(binding, "prepare");

function bindingOf(env: Env, shard: number): unknown {
  return shard === 0 ? env.DB : Reflect.get(env, `DB_SHARD_${shard}`);
}

/** Caches databases, because creating a Drizzle database takes as much CPU as the rest of a short request. */
const opened = new WeakMap<D1Database, Database>();

function open(env: Env, binding: D1Database): Database {
  const cached = opened.get(binding);
  if (cached !== undefined) return cached;
  const database = Object.assign(drizzle(binding), {
    checksRows: Reflect.get(env, "CHECK_ROWS") === "true",
    runBatch: (statements: D1PreparedStatement[]) => binding.batch(statements),
    runOne: async (statement: D1PreparedStatement) => (await statement.all()).results,
    wake: () => undefined,
  });
  opened.set(binding, database);
  return database;
}

/** Without a separate `CONTROL` binding, the database `DB` is the control database and also shard 0. */
export function controlDatabase(env: Env): Database {
  const separate: unknown = Reflect.get(env, "CONTROL");
  return open(env, isDatabase(separate) ? separate : env.DB);
}

export function shardCount(env: Env): number {
  let count = 1;
  while (isDatabase(bindingOf(env, count))) count++;
  return count;
}

export function faultOfShards(env: Env): string | null {
  const count = shardCount(env);
  const isUnreachable = (name: string) => Number(/^DB_SHARD_(\d+)$/.exec(name)?.[1] ?? 0) >= count;
  const behindGap = Object.keys(env).filter(isUnreachable);
  return behindGap.length === 0 ? null : `DB_SHARD_${count} is missing, but ${behindGap.join(", ")} is bound.`;
}

/**
 * Returns a new object based on the cached database, because `wake` belongs to one request or job and must not
 * be cached.
 */
export function shardDatabase(env: Env, shard: number, wake: Database["wake"] = () => undefined): Database {
  const binding = bindingOf(env, shard);
  if (!isDatabase(binding)) throw new Error(`Shard ${shard} has no database binding.`);
  const database: Database = Object.create(open(env, binding));
  database.wake = wake;
  return database;
}

/** Returns a database that runs all its statements through `runBatch`. */
export const withRunBatch = (database: Database, runBatch: Database["runBatch"]): Database =>
  Object.assign(Object.create(database), {
    runBatch,
    runOne: async (statement: D1PreparedStatement) => (await runBatch([statement])).flatMap(({ results }) => results),
  });

export function sharedShardDatabase(env: Env, shard: number, wake: Database["wake"] = () => undefined): Database {
  const database = shardDatabase(env, shard, wake);
  return withRunBatch(database, shareBatches(database.runBatch));
}
