// The shard has copies of members' names, so that reading rows with member ids takes one round trip. The control
// database has the members.
import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect, updateSet } from "../../db/columns.ts";
import { isOneOf } from "../../db/idioms.ts";
import { memberNames, members } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";

const column = columns(memberNames);
const excluded = columns(memberNames, "excluded");

export interface NamedMember {
  id: string;
  name: string;
}

/**
 * Stores a member's name in the batch that stores their id. Writes nothing if the name is already stored. Raw SQL: the
 * builder's inserts have no condition.
 */
export const storeMemberName = (ctx: Ctx, { id, name }: NamedMember, condition = sql`TRUE`): SQL =>
  insertSelect(
    memberNames,
    { workspaceId: ctx.workspace.id, userId: id, name },
    sql`WHERE ${condition}
  ON CONFLICT (${column.workspaceId}, ${column.userId}) DO UPDATE SET ${column.name} = ${excluded.name} WHERE ${column.name} <> ${excluded.name}`,
  );

export const renameMember = (db: Database, workspaceIds: readonly string[], { id, name }: NamedMember) =>
  db
    .update(memberNames)
    .set({ name })
    .where(and(isOneOf(memberNames.workspaceId, workspaceIds), eq(memberNames.userId, id), ne(memberNames.name, name)));

export const deleteMemberName = ({ db, workspace }: Ctx, userId: string) =>
  db.delete(memberNames).where(and(eq(memberNames.workspaceId, workspace.id), eq(memberNames.userId, userId)));

/** Builds SQL for a member's name, or null if the name was never stored. Names of removed members stay. */
export const memberName = (ctx: Ctx, userId: SQL): SQL =>
  sql`(SELECT ${column.name} FROM member_names WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.userId} = ${userId})`;

/**
 * Marks a member before their removal, for the job that unassigns their conversations. Also marks members without a
 * stored name, because a concurrent request can still assign conversations to them.
 */
export const markMemberRemoved = ({ db, workspace, now }: Ctx, { id, name }: NamedMember) =>
  db
    .insert(memberNames)
    .values({ workspaceId: workspace.id, userId: id, name, removedAt: now() })
    .onConflictDoUpdate({ target: [memberNames.workspaceId, memberNames.userId], set: { removedAt: now() } });

const removedMember = z.object({ workspace_id: z.string(), user_id: z.string() });

export type RemovedMember = z.infer<typeof removedMember>;

/**
 * Selects members of a shard's workspaces that were marked before `before` and still have the mark. Raw SQL: the
 * builder has no INDEXED BY.
 */
export const selectRemovedMembers = (before: number, limit: number): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${memberNames.workspaceId}, ${memberNames.userId} FROM ${memberNames} INDEXED BY member_names_removed
      WHERE ${memberNames.removedAt} <= ${before} ORDER BY ${memberNames.removedAt} LIMIT ${limit}`,
  );

/** Clears the mark of `markMemberRemoved` if `condition` is true. Raw SQL: the rest of its batch is raw. */
export const clearRemovedMark = ({ workspace_id, user_id }: RemovedMember, condition = sql`TRUE`): SQL =>
  updateSet(
    memberNames,
    { removedAt: sql`NULL` },
    sql`WHERE ${column.workspaceId} = ${workspace_id} AND ${column.userId} = ${user_id} AND ${condition}`,
  );

/**
 * Selects marked people who are members: their removal failed, or they were invited again. Raw SQL: the statement reads
 * a list of values.
 */
export const selectStillMembers = (marked: readonly RemovedMember[]): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${members.workspaceId}, ${members.userId} FROM json_each(${JSON.stringify(marked)}) e
      CROSS JOIN ${members} ON ${members.workspaceId} = e.value ->> 'workspace_id' AND ${members.userId} = e.value ->> 'user_id'`,
  );
