import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { conversations } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";
import { isoTime } from "../../../db/idioms.ts";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";
import { isSnoozeOver } from "../conversations.sql.ts";

const conversation = columns(conversations);

/** Raw SQL for INDEXED BY. */
function endSnoozesOf(db: Database, limit: number, now: number) {
  const isOver = sql`${conversation.id} IN (
    SELECT ${conversation.id} FROM conversations INDEXED BY conversations_snoozed
    WHERE ${isSnoozeOver(conversation.snoozedUntil, now)} ORDER BY ${conversation.snoozedUntil} LIMIT ${limit})`;
  const changes = sql`json_object('snoozed_until', json_array(${isoTime(conversation.snoozedUntil)}, NULL))`;
  return [
    appendEventsOfWorkspaces(
      sql`
        SELECT ${conversation.workspaceId}, 'system' AS actor_type, NULL AS actor_id, ${event("conversation.updated", conversation.id, changes)}
        FROM conversations WHERE ${isOver}`,
      now,
    ),
    db.update(conversations).set({ status: "open", snoozedUntil: null }).where(isOver),
  ];
}

/** Per minute and shard. */
const SNOOZES_PER_RUN = 1000;

/** Reads already ignore an expired snooze. This job also ends it in the row, so that the event log contains its end. */
export async function endSnoozes(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await transact(db, { snoozes: endSnoozesOf(db, SNOOZES_PER_RUN, base.now()) });
}
