import { sql } from "drizzle-orm";
import * as z from "zod";
import type { BaseCtx, Database } from "../shared/context.ts";
import { fetchRow, statement } from "./statement.ts";

/** FTS5 stores new rows as segments, and a search looks up each group of three characters in each segment. */
const MAX_SEGMENTS = 4;
/** FTS5 merges a level with this number of segments. Its default is 4, with which searches took four times as long. */
const SEGMENTS_TO_MERGE = 2;
/** Takes about 1 ms. D1 runs one statement at a time, so a long statement would delay all other requests. */
const PAGES_PER_STEP = 32;
const STEPS_PER_RUN = 100;
/** The changes of a merge that finds nothing to merge. */
const NO_MERGE = 1;

const segmentCount = z.object({ count: z.number() });

/** Raw SQL, because the query builder does not support virtual tables. Reads two rows per segment. */
function selectSegmentCount(index: string) {
  const table = sql.identifier(`${index}_idx`);
  return statement(
    segmentCount,
    sql`
      WITH RECURSIVE segment (id) AS (
        SELECT min(segid) FROM ${table}
        UNION ALL SELECT (SELECT min(segid) FROM ${table} WHERE segid > segment.id) FROM segment WHERE segment.id IS NOT NULL)
      SELECT count(id) AS count FROM segment`,
  );
}

/**
 * The steps per shard and index. All shards together have `STEPS_PER_RUN`, because the cron has one invocation for all
 * shards, and an invocation has at most 1,000 queries.
 */
export const mergeSteps = (shardCount: number): number => Math.max(1, Math.floor(STEPS_PER_RUN / shardCount));

async function mergeSegments(db: Database, index: string, steps: number): Promise<void> {
  const { count = 0 } = (await fetchRow(db, selectSegmentCount(index))) ?? {};
  if (count <= MAX_SEGMENTS) return;
  const table = sql.identifier(index);
  // D1 binds numbers as REAL, and FTS5 accepts only integers here.
  const command = (name: string, value: number) =>
    db.run(sql`INSERT INTO ${table} (${table}, rank) VALUES (${name}, ${sql.raw(String(value))})`);
  await command("usermerge", SEGMENTS_TO_MERGE);
  for (let step = 0; step < steps; step++) {
    const { meta } = await command("merge", PAGES_PER_STEP);
    if (meta.changes <= NO_MERGE) return;
  }
}

/** In all shards, merges about as many pages per minute and index as 3,200 new contacts or messages add. */
export async function mergeSearchSegments(base: BaseCtx, shard: number): Promise<void> {
  const steps = mergeSteps(base.shardCount);
  for (const index of ["contact_search", "message_search"]) await mergeSegments(base.shard(shard), index, steps);
}
