import { sql } from "../../db/sql.ts";
import type { SQL } from "../../db/statement.ts";
import { appendEventsOfWorkspaces, event } from "../events/append-events.sql.ts";
import { clearRemovedMark, type RemovedMember } from "../members/member-names.sql.ts";

const STATUSES = ["open", "snoozed", "done"];

/** Takes up to `limit` conversations of each status off a member, with their events; the mark of the removal goes with the last. */
export function unassignRows(member: RemovedMember, now: number, limit: number): SQL[] {
  const { workspace_id: workspaceId, user_id: userId } = member;
  const ofStatus = (status: string) => sql`
    SELECT id FROM (SELECT id FROM conversations INDEXED BY conversations_of_assignee
      WHERE workspace_id = ${workspaceId} AND status = ${status} AND assignee_id = ${userId} LIMIT ${limit})`;
  const assigned = sql.join(STATUSES.map(ofStatus), sql` UNION ALL `);
  const changes = sql`json_object('assignee_id', json_array(assignee_id, NULL))`;
  return [
    appendEventsOfWorkspaces(
      sql`
        SELECT workspace_id, 'system' AS actor_type, NULL AS actor_id, ${event("conversation.assigned", sql`id`, changes)}
        FROM conversations WHERE id IN (${assigned})`,
      now,
    ),
    sql`UPDATE conversations SET assignee_id = NULL WHERE id IN (${assigned})`,
    clearRemovedMark(member, sql`NOT EXISTS (${assigned})`),
  ];
}
