import { sql } from "drizzle-orm";
import { fetchRows, type SQL, transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import {
  clearRemovedMark,
  type RemovedMember,
  selectRemovedMembers,
  selectStillMembers,
} from "../../members/member-names.sql.ts";
import { assignedConversations, reassignRows } from "./reassign.sql.ts";

/**
 * Unassigns up to `limit` conversations of each status from a member, with their events, and then deletes the removal mark if none
 * is left.
 */
function unassignRows(db: Database, member: RemovedMember, now: number, limit: number): SQL[] {
  const assigned = assignedConversations(member.workspace_id, member.user_id, limit);
  return [...reassignRows(db, assigned, null, now), clearRemovedMark(member, sql`NOT EXISTS (${assigned})`)];
}

const MEMBERS_PER_RUN = 20;
/** Conversations of each status per batch. */
const CONVERSATIONS_PER_RUN = 500;
/** A removal has completed or failed this long after its mark. */
const REMOVAL_MS = MINUTE_MS;

/** Unassigns conversations of removed members, so that nobody waits for a person who left. The next run continues. */
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
