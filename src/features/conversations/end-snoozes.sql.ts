import { sql } from "drizzle-orm";
import { isoTime } from "../../db/idioms.ts";
import type { SQL } from "../../db/statement.ts";
import { appendEventsOfWorkspaces, event } from "../events/append-events.sql.ts";
import { isSnoozeOver } from "./snoozes.sql.ts";

/** Ends snoozes that are over, the oldest `limit` of a shard, with their events. */
export function endSnoozesOf(now: number, limit: number): SQL[] {
  const isOver = sql`id IN (
    SELECT id FROM conversations INDEXED BY conversations_snoozed WHERE ${isSnoozeOver(sql`snoozed_until`, now)} ORDER BY snoozed_until LIMIT ${limit})`;
  const changes = sql`json_object('snoozed_until', json_array(${isoTime(sql`snoozed_until`)}, NULL))`;
  return [
    appendEventsOfWorkspaces(
      sql`
        SELECT workspace_id, 'system' AS actor_type, NULL AS actor_id, ${event("conversation.updated", sql`id`, changes)}
        FROM conversations WHERE ${isOver}`,
      now,
    ),
    sql`UPDATE conversations SET status = 'open', snoozed_until = NULL WHERE ${isOver}`,
  ];
}
