import { inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { conversations } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Database } from "../../../shared/context.ts";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";

const conversation = columns(conversations);

const STATUSES = ["open", "snoozed", "done"];

/** Up to `limit` conversations of each status assigned to a member, as one column of ids. Raw for INDEXED BY. */
export function assignedConversations(workspaceId: string, memberId: string, limit: number): SQL {
  const ofStatus = (status: string) => sql`
    SELECT ${conversation.id} FROM (SELECT ${conversation.id} FROM conversations INDEXED BY conversations_of_assignee
      WHERE ${conversation.workspaceId} = ${workspaceId} AND ${conversation.status} = ${status} AND ${conversation.assigneeId} = ${memberId} LIMIT ${limit})`;
  return sql.join(STATUSES.map(ofStatus), sql` UNION ALL `);
}

/** Reassigns or unassigns the conversations in `assigned`, with their events. */
export const reassignRows = (db: Database, assigned: SQL, assigneeId: string | null, now: number): SQL[] => {
  const changes = sql`json_object('assignee_id', json_array(${conversation.assigneeId}, ${assigneeId}))`;
  return [
    appendEventsOfWorkspaces(
      sql`
        SELECT ${conversation.workspaceId}, 'system' AS actor_type, NULL AS actor_id, ${event("conversation.assigned", conversation.id, changes)}
        FROM conversations WHERE ${conversation.id} IN (${assigned})`,
      now,
    ),
    db
      .update(conversations)
      .set({ assigneeId })
      .where(inArray(conversations.id, sql`(${assigned})`))
      .getSQL(),
  ];
};

const conversationId = z.object({ id: z.string() });

export const selectAnyAssigned = (workspaceId: string, memberId: string): Statement<z.infer<typeof conversationId>> =>
  statement(
    conversationId,
    sql`SELECT ${conversation.id} FROM (${assignedConversations(workspaceId, memberId, 1)}) LIMIT 1`,
  );
