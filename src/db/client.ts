import { drizzle } from "drizzle-orm/d1";
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
