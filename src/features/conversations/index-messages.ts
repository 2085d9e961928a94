import { fetchRow, transact } from "../../db/statement.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { indexNextMessages, selectIndexing } from "./index-messages.sql.ts";

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
