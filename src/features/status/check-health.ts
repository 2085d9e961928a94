import { sql } from "drizzle-orm";
import { transact } from "../../db/statement.ts";
import type { BaseCtx, Database } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";

const WITHIN_MS = 5000;

export type StatusPart<T> = readonly [name: string, read: () => Promise<T>];

async function readInTime<T>(read: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No response within ${WITHIN_MS} ms.`)), WITHIN_MS);
  try {
    return await Promise.race([read(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads all parts at the same time. `unreachable` lists the parts that fail or do not respond in time. */
export async function readParts<T>(parts: readonly StatusPart<T>[]): Promise<{ values: T[]; unreachable: string[] }> {
  const results = await Promise.allSettled(parts.map(([, read]) => readInTime(read)));
  const values: T[] = [];
  const unreachable: string[] = [];
  for (const [index, [part]] of parts.entries()) {
    const result = results[index];
    if (result?.status === "fulfilled") values.push(result.value);
    else {
      unreachable.push(part);
      log.error("part_unreachable", { part, error: result?.reason });
    }
  }
  return { values, unreachable };
}

const respond = (db: Database) => () => transact(db, { one: sql`SELECT 1` });

/** Reads from each database, the cache and the bucket. Returns the parts that do not respond. */
export async function findUnreachable(base: BaseCtx): Promise<string[]> {
  const { unreachable } = await readParts<unknown>([
    ["control database", respond(base.control)],
    ...Array.from({ length: base.shardCount }, (_, shard): StatusPart<unknown> => [
      `shard ${shard}`,
      respond(base.shard(shard)),
    ]),
    ["cache", () => base.cache.get("health")],
    ["bucket", () => base.bucket.head("health")],
  ]);
  return unreachable;
}
