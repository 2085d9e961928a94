import { desc, eq, lt, sql } from "drizzle-orm";
import { campaigns, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { selectUnfinishedCampaign } from "../templates/templates.sql.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export const selectWorkspace = (ctx: BaseCtx, id: string) =>
  ctx.control.select().from(workspaces).where(eq(workspaces.id, id));

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

/** Adds a workspace. Shards take turns. */
export function insertWorkspace(ctx: BaseCtx, row: Pick<WorkspaceRow, "id" | "name" | "plan" | "timeZone">) {
  const shard = sql`(SELECT coalesce(max(number), 0) % ${ctx.shardCount} FROM workspaces)`;
  return ctx.control
    .insert(workspaces)
    .values({ ...row, shard, createdAt: ctx.now() })
    .returning();
}

export const updateWorkspaceRow = (ctx: BaseCtx, { id, ...row }: WorkspaceRow) =>
  ctx.control.update(workspaces).set(row).where(eq(workspaces.id, id));

/** A campaign that still sends, or will, through a connection. */
export const selectCampaignThrough = (ctx: Ctx, connectionId: string) =>
  selectUnfinishedCampaign(ctx, eq(campaigns.connectionId, connectionId));
