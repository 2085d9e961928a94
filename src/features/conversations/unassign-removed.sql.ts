import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import { clearRemovedMark, type RemovedMember } from "../members/member-names.sql.ts";
import { assignedConversations, reassignRows } from "./reassign.sql.ts";

/** Takes up to `limit` conversations of each status off a member, with their events; the mark of the removal goes with the last. */
export function unassignRows(member: RemovedMember, now: number, limit: number): SQL[] {
  const assigned = assignedConversations(member.workspace_id, member.user_id, limit);
  return [...reassignRows(assigned, null, now), clearRemovedMark(member, sql`NOT EXISTS (${assigned})`)];
}
