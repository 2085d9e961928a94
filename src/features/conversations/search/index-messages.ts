import { and, desc, eq, lt, sql } from "drizzle-orm";
import { messageIndexing, messages } from "../../../db/schema/index.ts";
import { fetchRow, transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";

const isProgress = eq(messageIndexing.id, 1);

const selectProgress = (db: Database) =>
  db.select({ beforeId: messageIndexing.beforeId }).from(messageIndexing).where(isProgress);

/**
 * The batch that indexes messages also stores the progress, so the next run continues there. The last batch deletes the
 * progress.
 */
function indexNextMessages(db: Database, limit: number) {
  const next = db
    .select({ id: messages.id })
    .from(messages)
    .where(lt(messages.id, sql`${selectProgress(db)}`))
    .orderBy(desc(messages.id))
    .limit(limit);
  const source = sql`message_search_source WHERE id IN ${next}`;
  return [
    // Raw SQL: the query builder does not support virtual tables.
    sql`DELETE FROM message_search WHERE rowid IN (SELECT number FROM ${source})`,
    sql`INSERT INTO message_search (rowid, t, f) SELECT min(number), t, f FROM ${source} GROUP BY number`,
    db
      .update(messageIndexing)
      .set({ beforeId: sql`coalesce((SELECT min(id) FROM ${next}), '')` })
      .where(isProgress),
    db.delete(messageIndexing).where(and(isProgress, eq(messageIndexing.beforeId, ""))),
  ];
}

const MESSAGES_PER_CHUNK = 1000;
const CHUNKS_PER_RUN = 10;

/**
 * Indexes messages from before the index existed: 10,000 per minute and shard, newest first. Searches do not find a
 * message before it is indexed.
 */
export async function indexOldMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    if ((await fetchRow(db, selectProgress(db))) === undefined) return;
    await transact(db, { work: indexNextMessages(db, MESSAGES_PER_CHUNK) });
  }
}
