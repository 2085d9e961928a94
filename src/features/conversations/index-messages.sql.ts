import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement } from "../../db/statement.ts";

/** One row while messages are still to be indexed. */
export const selectIndexing = statement(
  z.object({ before_id: z.string() }),
  sql`SELECT before_id FROM message_indexing WHERE id = 1`,
);

/** Indexes the next messages of before the search, and notes how far it has come; the note goes with the last one. */
export function indexNextMessages(limit: number): SQL[] {
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
