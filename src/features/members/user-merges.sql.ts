// Users merged into another user. Rows in shards reference the deleted user until a job has updated them.
import { and, eq, lte, sql } from "drizzle-orm";
import { insertSelect } from "../../db/columns.ts";
import { isOneOf } from "../../db/idioms.ts";
import { members, userMerges, users, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";

/**
 * Records that the rows of these users will belong to `keptId`, in each of that user's workspaces. Also redirects unfinished merges
 * into these users. Raw, because one statement combines users and workspaces.
 */
export const insertUserMerges = (ctx: BaseCtx, keptId: string, ids: readonly string[]) => [
  ctx.control.update(userMerges).set({ intoId: keptId }).where(isOneOf(userMerges.intoId, ids)),
  insertSelect(
    userMerges,
    { intoId: members.userId, fromId: users.id, workspaceId: members.workspaceId, mergedAt: ctx.now() },
    sql`FROM ${users} CROSS JOIN ${members} ON ${members.userId} = ${keptId} WHERE ${isOneOf(users.id, ids)}
      ON CONFLICT DO NOTHING`,
  ),
];

/** Unfinished merges, oldest first. */
export const selectUserMerges = (base: BaseCtx, limit: number) =>
  base.control
    .select({
      intoId: userMerges.intoId,
      intoName: users.name,
      fromId: userMerges.fromId,
      workspaceId: userMerges.workspaceId,
      workspaceNumber: workspaces.number,
      shard: workspaces.shard,
      mergedAt: userMerges.mergedAt,
      notesBefore: userMerges.notesBefore,
      messagesBefore: userMerges.messagesBefore,
    })
    .from(userMerges)
    .innerJoin(users, eq(users.id, userMerges.intoId))
    .innerJoin(workspaces, eq(workspaces.id, userMerges.workspaceId))
    .where(lte(userMerges.mergedAt, base.now()))
    .orderBy(userMerges.mergedAt)
    .limit(limit);

export type UserMerge = Awaited<ReturnType<typeof selectUserMerges>>[number];

const isMerge = ({ intoId, fromId, workspaceId }: UserMerge) =>
  and(eq(userMerges.intoId, intoId), eq(userMerges.fromId, fromId), eq(userMerges.workspaceId, workspaceId));

/** Stores the progress of a merge in its workspace. */
export async function updateUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  const { notesBefore, messagesBefore } = merge;
  await ctx.control.update(userMerges).set({ notesBefore, messagesBefore }).where(isMerge(merge));
}

export async function deleteUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  await ctx.control.delete(userMerges).where(isMerge(merge));
}
