import { sql } from "drizzle-orm";
import { transact } from "../../db/statement.ts";
import type { BaseCtx, Database } from "../../shared/context.ts";
import { type Part, readParts } from "./read-parts.ts";

const respond = (db: Database) => () => transact(db, { one: sql`SELECT 1` });

/** Reads from each database, the cache and the bucket. Returns the parts that do not respond. */
export async function findUnreachable(base: BaseCtx): Promise<string[]> {
  const { unreachable } = await readParts<unknown>([
    ["control database", respond(base.control)],
    ...Array.from({ length: base.shardCount }, (_, shard): Part<unknown> => [
      `shard ${shard}`,
      respond(base.shard(shard)),
    ]),
    ["cache", () => base.cache.get("health")],
    ["bucket", () => base.bucket.head("health")],
  ]);
  return unreachable;
}
