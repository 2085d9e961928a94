import { sql } from "drizzle-orm";
import * as z from "zod";
import { fetchRow, type SQL, statement, transact } from "../../../db/statement.ts";
import type { BaseCtx } from "../../../shared/context.ts";

/** One row while messages are still to be indexed. */
const selectIndexing = statement(
  z.object({ before_id: z.string() }),
  sql`SELECT before_id FROM message_indexing WHERE id = 1`,
);

/** Indexes the next messages of before the search, and notes how far it has come; the note goes with the last one. */
function indexNextMessages(limit: number): SQL[] {
  const before = sql`(SELECT before_id FROM message_indexing WHERE id = 1)`;
  const next = sql`SELECT id FROM messages WHERE id < ${before} ORDER BY id DESC LIMIT ${limit}`;
  const source = sql`message_search_source WHERE id IN (${next})`;
  return [
    sql`DELETE FROM message_search WHERE rowid IN (SELECT number FROM ${source})`,
    sql`INSERT INTO message_search (rowid, t, f) SELECT min(number), t, f FROM ${source} GROUP BY number`,
    sql`UPDATE message_indexing SET before_id = coalesce((SELECT min(id) FROM (${next})), '') WHERE id = 1`,
    sql`DELETE FROM message_indexing WHERE id = 1 AND before_id = ''`,
  ];
}

const MESSAGES_PER_CHUNK = 1000;
const CHUNKS_PER_RUN = 10;

/** Indexes messages of before the search over messages, newest first, 10,000 a minute and shard. Searches find those that are done. */
export async function indexOldMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    if ((await fetchRow(db, selectIndexing)) === undefined) return;
    await transact(db, { work: indexNextMessages(MESSAGES_PER_CHUNK) });
  }
}
