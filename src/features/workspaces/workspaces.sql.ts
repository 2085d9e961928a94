import { desc, eq, lt, sql } from "drizzle-orm";
import { workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export async function find(ctx: BaseCtx, id: string): Promise<WorkspaceRow | null> {
  const [row] = await ctx.control.select().from(workspaces).where(eq(workspaces.id, id));
  return row ?? null;
}

/** Sorts behind every id, so that the first page is a range of the index as the others are. */
const BEHIND_ALL = "ws~";

/** Newest first, one row beyond `limit`. */
export function list(ctx: BaseCtx, limit: number, before: string | undefined): Promise<WorkspaceRow[]> {
  return ctx.control
    .select()
    .from(workspaces)
    .where(lt(workspaces.id, before ?? BEHIND_ALL))
    .orderBy(desc(workspaces.id))
    .limit(limit + 1);
}

/** Shards take turns. */
export async function insert(ctx: BaseCtx, row: Pick<WorkspaceRow, "id" | "name" | "plan">): Promise<void> {
  const shard = sql`(SELECT coalesce(max(number), 0) % ${ctx.shardCount} FROM workspaces)`;
  await ctx.control.insert(workspaces).values({ ...row, shard, createdAt: ctx.now() });
}

export async function update(
  ctx: BaseCtx,
  id: string,
  change: Partial<Pick<WorkspaceRow, "name" | "plan">>,
): Promise<void> {
  await ctx.control
    .update(workspaces)
    .set({ ...change, id })
    .where(eq(workspaces.id, id));
}

/** A campaign that still sends, or will, through a connection; null where there is none. */
export async function findUnfinishedCampaign(ctx: Ctx, connectionId: string): Promise<string | null> {
  const [row] = await ctx.db.all<{ id: string }>(sql`
    SELECT id FROM campaigns WHERE workspace_id = ${ctx.workspace.id} AND status IN ('scheduled', 'running', 'paused')
      AND connection_id = ${connectionId} LIMIT 1`);
  return row?.id ?? null;
}
