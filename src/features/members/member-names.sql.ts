// The control database has the members. Each shard has a copy of their names, so that one round trip reads rows
// together with the names of their members.
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
 * Run this in the batch that stores the member's id, so that the shard always has the name. Raw SQL, because an insert
 * of the query builder cannot have a condition.
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

export const memberName = (ctx: Ctx, userId: SQL): SQL =>
  sql`(SELECT ${column.name} FROM member_names WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.userId} = ${userId})`;

/**
 * Sets `removedAt`, so that a job unassigns the member's conversations. Inserts a row if the shard has none, because a
 * concurrent request can still assign conversations to the member.
 */
export const markMemberRemoved = ({ db, workspace, now }: Ctx, { id, name }: NamedMember) =>
  db
    .insert(memberNames)
    .values({ workspaceId: workspace.id, userId: id, name, removedAt: now() })
    .onConflictDoUpdate({ target: [memberNames.workspaceId, memberNames.userId], set: { removedAt: now() } });

const removedMember = z.object({ workspace_id: z.string(), user_id: z.string() });

export type RemovedMember = z.infer<typeof removedMember>;

/** Raw SQL: the query builder does not support INDEXED BY. */
export const selectRemovedMembers = (before: number, limit: number): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${memberNames.workspaceId}, ${memberNames.userId} FROM ${memberNames} INDEXED BY member_names_removed
      WHERE ${memberNames.removedAt} <= ${before} ORDER BY ${memberNames.removedAt} LIMIT ${limit}`,
  );

export const clearRemovedMark = ({ workspace_id, user_id }: RemovedMember, condition = sql`TRUE`): SQL =>
  updateSet(
    memberNames,
    { removedAt: sql`NULL` },
    sql`WHERE ${column.workspaceId} = ${workspace_id} AND ${column.userId} = ${user_id} AND ${condition}`,
  );

export const selectStillMembers = (marked: readonly RemovedMember[]): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${members.workspaceId}, ${members.userId} FROM json_each(${JSON.stringify(marked)}) e
      CROSS JOIN ${members} ON ${members.workspaceId} = e.value ->> 'workspace_id' AND ${members.userId} = e.value ->> 'user_id'`,
  );
