import { drizzle } from "drizzle-orm/d1";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQL } from "drizzle-orm";
import type { Database } from "../shared/context.ts";

/** A statement not yet run: what a repository hands to a batch. */
export type Statement = BatchItem<"sqlite">;
export type { SQL };

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "prepare" in binding;

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

/** Runs statements as one transaction and one round trip; the answer has one list of rows for each. */
export async function batch(db: Database, statements: Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  return first === undefined ? [] : db.batch([first, ...rest]);
}

const OVERLOADED = /overloaded|too many requests queued/i;
const TRANSIENT = /network connection lost|storage caused object to be reset|reset because its code was updated/i;

/** True for storage errors that say "later": nothing is known to be wrong with the request. */
export function isStorageUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOADED.test(error.message) || TRANSIENT.test(error.message) || isStorageUnavailable(error.cause);
}
