// Users who became part of another one: rows of workspaces are in other databases, and name who is gone until a job has moved them.
import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { userMerges } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";

/**
 * Notes that the rows of these users are to become those of `keptId`, in each workspace that the latter belongs to by now; also the rows
 * that were to become one of theirs. `ids` gives one column of ids.
 */
export const insertUserMerges = (keptId: string, ids: SQL, now: number): SQL[] => [
  sql`UPDATE user_merges SET into_id = ${keptId} WHERE into_id IN (${ids})`,
  sql`
    INSERT INTO user_merges (into_id, from_id, workspace_id, merged_at)
    SELECT m.user_id, u.id, m.workspace_id, ${now} FROM users u CROSS JOIN members m ON m.user_id = ${keptId}
    WHERE u.id IN (${ids})
    ON CONFLICT DO NOTHING`,
];

const userMerge = z.object({
  into_id: z.string(),
  into_name: z.string(),
  from_id: z.string(),
  workspace_id: z.string(),
  workspace_number: z.number(),
  shard: z.number(),
  merged_at: z.number(),
  notes_before: z.string(),
  messages_before: z.string(),
});

export type UserMerge = z.infer<typeof userMerge>;

/** Merges with something left to do, oldest first. */
export const selectUserMerges = (now: number, limit: number): Statement<UserMerge> =>
  statement(
    userMerge,
    sql`
      SELECT u.id AS into_id, u.name AS into_name, g.from_id AS from_id, w.id AS workspace_id, w.number AS workspace_number,
        w.shard AS shard, g.merged_at AS merged_at, g.notes_before AS notes_before, g.messages_before AS messages_before
      FROM user_merges g CROSS JOIN users u ON u.id = g.into_id CROSS JOIN workspaces w ON w.id = g.workspace_id
      WHERE g.merged_at <= ${now} ORDER BY g.merged_at LIMIT ${limit}`,
  );

const isMerge = ({ into_id, from_id, workspace_id }: UserMerge) =>
  and(eq(userMerges.intoId, into_id), eq(userMerges.fromId, from_id), eq(userMerges.workspaceId, workspace_id));

/** Notes how far a merge has come in its workspace. */
export async function updateUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  const { notes_before: notesBefore, messages_before: messagesBefore } = merge;
  await ctx.control.update(userMerges).set({ notesBefore, messagesBefore }).where(isMerge(merge));
}

export async function deleteUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  await ctx.control.delete(userMerges).where(isMerge(merge));
}
