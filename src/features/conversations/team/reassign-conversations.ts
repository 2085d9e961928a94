import { inArray, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { conversations } from "../../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";
import {
  clearRemovedMark,
  type RemovedMember,
  selectRemovedMembers,
  selectStillMembers,
} from "../../members/member-names.sql.ts";

const conversation = columns(conversations);

const STATUSES = ["open", "snoozed", "done"];

/** Raw SQL for INDEXED BY. */
export function assignedConversations(workspaceId: string, memberId: string, limit: number): SQL {
  const ofStatus = (status: string) => sql`
    SELECT ${conversation.id} FROM (SELECT ${conversation.id} FROM conversations INDEXED BY conversations_of_assignee
      WHERE ${conversation.workspaceId} = ${workspaceId} AND ${conversation.status} = ${status} AND ${conversation.assigneeId} = ${memberId} LIMIT ${limit})`;
  return sql.join(STATUSES.map(ofStatus), sql` UNION ALL `);
}

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

export const selectAnyAssigned = (workspaceId: string, memberId: string) =>
  statement(
    conversationId,
    sql`SELECT ${conversation.id} FROM (${assignedConversations(workspaceId, memberId, 1)}) LIMIT 1`,
  );

function unassignRows(db: Database, member: RemovedMember, now: number, limit: number): SQL[] {
  const assigned = assignedConversations(member.workspace_id, member.user_id, limit);
  return [...reassignRows(db, assigned, null, now), clearRemovedMark(member, sql`NOT EXISTS (${assigned})`)];
}

const MEMBERS_PER_RUN = 20;
const CONVERSATIONS_PER_RUN = 500;
const REMOVAL_MS = MINUTE_MS;

/**
 * Unassigns the conversations of removed members, so that other members see that nobody handles these conversations.
 */
export async function unassignRemovedMembers(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const marked = await fetchRows(db, selectRemovedMembers(base.now() - REMOVAL_MS, MEMBERS_PER_RUN));
  if (marked.length === 0) return;
  const stillMembers = await fetchRows(base.control, selectStillMembers(marked));
  for (const member of marked) {
    const isMember = stillMembers.some(
      ({ workspace_id, user_id }) => workspace_id === member.workspace_id && user_id === member.user_id,
    );
    const work = isMember ? [clearRemovedMark(member)] : unassignRows(db, member, base.now(), CONVERSATIONS_PER_RUN);
    await transact(db, { work });
  }
}
