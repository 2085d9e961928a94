import { desc, eq, lt } from "drizzle-orm";
import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import { transact } from "../../db/statement.ts";
import { campaigns, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { selectUnfinishedCampaign } from "../templates/templates.sql.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export async function findWorkspaceById(ctx: BaseCtx, id: string): Promise<WorkspaceRow | null> {
  const [row] = await ctx.control.select().from(workspaces).where(eq(workspaces.id, id));
  return row ?? null;
}

/** Sorts behind every id, so that the first page is a range of the index as the others are. */
const AFTER_ALL_IDS = "ws~";

/** Newest first, one row beyond `limit`. */
export const selectWorkspaces = (ctx: BaseCtx, limit: number, before: string | undefined) =>
  ctx.control
    .select()
    .from(workspaces)
    .where(lt(workspaces.id, before ?? AFTER_ALL_IDS))
    .orderBy(desc(workspaces.id))
    .limit(limit + 1);

/** Shards take turns. */
export async function insertWorkspace(
  ctx: BaseCtx,
  row: Pick<WorkspaceRow, "id" | "name" | "plan" | "timeZone">,
): Promise<void> {
  const shard = sql`(SELECT coalesce(max(number), 0) % ${ctx.shardCount} FROM workspaces)`;
  await ctx.control.insert(workspaces).values({ ...row, shard, createdAt: ctx.now() });
}

export async function changeWorkspace(
  ctx: BaseCtx,
  id: string,
  change: Partial<Pick<WorkspaceRow, "name" | "plan" | "timeZone" | "stepsHiddenAt">>,
  shown: Partial<Pick<WorkspaceRow, "name" | "timeZone">>,
): Promise<void> {
  await transact(ctx.control, {
    precondition: failOnOtherValues(sql`FROM workspaces WHERE id = ${id}`, [
      [sql`name`, shown.name, change.name],
      [sql`time_zone`, shown.timeZone, change.timeZone],
    ]),
    change: ctx.control
      .update(workspaces)
      .set({ ...change, id })
      .where(eq(workspaces.id, id)),
  });
}

/** A campaign that still sends, or will, through a connection; null where there is none. */
export async function findUnfinishedCampaign(ctx: Ctx, connectionId: string): Promise<string | null> {
  const [campaign] = await selectUnfinishedCampaign(ctx, eq(campaigns.connectionId, connectionId));
  return campaign?.id ?? null;
}
