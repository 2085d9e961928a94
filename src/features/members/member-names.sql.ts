// Names of members beside the rows of a workspace that name them by id: members are in the control database, and a read is one trip.
import { and, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect, updateSet } from "../../db/columns.ts";
import { isOneOf } from "../../db/idioms.ts";
import { memberNames, members } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";

const column = columns(memberNames);
const excluded = columns(memberNames, "excluded");

export interface NamedMember {
  id: string;
  name: string;
}

/**
 * Stores the name of a member, for the batch that stores their id. Writes nothing where it is there already. Raw, because the builder's
 * inserts have no condition.
 */
export const storeMemberName = (ctx: Ctx, { id, name }: NamedMember, condition = sql`TRUE`): SQL =>
  insertSelect(
    memberNames,
    { workspaceId: ctx.workspace.id, userId: id, name },
    sql`WHERE ${condition}
  ON CONFLICT (${column.workspaceId}, ${column.userId}) DO UPDATE SET ${column.name} = ${excluded.name} WHERE ${column.name} <> ${excluded.name}`,
  );

/** Changes the name of a member where it is stored in these workspaces. */
export const renameMember = (db: Database, workspaceIds: readonly string[], { id, name }: NamedMember) =>
  db
    .update(memberNames)
    .set({ name })
    .where(and(isOneOf(memberNames.workspaceId, workspaceIds), eq(memberNames.userId, id), ne(memberNames.name, name)));

/** Forgets the name of a member whom no row of the workspace names any more. */
export const deleteMemberName = ({ db, workspace }: Ctx, userId: string) =>
  db.delete(memberNames).where(and(eq(memberNames.workspaceId, workspace.id), eq(memberNames.userId, userId)));

/** The name of the member with this id in SQL; null where it was never stored. Members who were removed keep theirs. */
export const memberName = (ctx: Ctx, userId: SQL): SQL =>
  sql`(SELECT ${column.name} FROM member_names WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.userId} = ${userId})`;

/**
 * Marks that a member is about to be removed, for the job that takes what is assigned to them off them. A member whose name was never
 * stored is marked too: a request under way may assign to them until the removal.
 */
export const markMemberRemoved = ({ db, workspace, now }: Ctx, { id, name }: NamedMember) =>
  db
    .insert(memberNames)
    .values({ workspaceId: workspace.id, userId: id, name, removedAt: now() })
    .onConflictDoUpdate({ target: [memberNames.workspaceId, memberNames.userId], set: { removedAt: now() } });

const removedMember = z.object({ workspace_id: z.string(), user_id: z.string() });

export type RemovedMember = z.infer<typeof removedMember>;

/** Members of a shard's workspaces who were about to be removed before `before`, with something still to be taken off them. Raw for INDEXED BY. */
export const selectRemovedMembers = (before: number, limit: number): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${memberNames.workspaceId}, ${memberNames.userId} FROM ${memberNames} INDEXED BY member_names_removed
      WHERE ${memberNames.removedAt} <= ${before} ORDER BY ${memberNames.removedAt} LIMIT ${limit}`,
  );

/** Takes off the mark of `markMemberRemoved`, where `condition` holds. Raw, as the rest of its batch is. */
export const clearRemovedMark = ({ workspace_id, user_id }: RemovedMember, condition = sql`TRUE`): SQL =>
  updateSet(
    memberNames,
    { removedAt: sql`NULL` },
    sql`WHERE ${column.workspaceId} = ${workspace_id} AND ${column.userId} = ${user_id} AND ${condition}`,
  );

/** Those who are members after all: their removal was refused, or they were invited again. Raw, because the builder selects from no list. */
export const selectStillMembers = (marked: readonly RemovedMember[]): Statement<RemovedMember> =>
  statement(
    removedMember,
    sql`
      SELECT ${members.workspaceId}, ${members.userId} FROM json_each(${JSON.stringify(marked)}) e
      CROSS JOIN ${members} ON ${members.workspaceId} = e.value ->> 'workspace_id' AND ${members.userId} = e.value ->> 'user_id'`,
  );
