import { and, desc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import { type SQL, transact } from "../../db/statement.ts";
import { connectionShards, connections, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";

export type ConnectionRow = typeof connections.$inferSelect;

const isLive = (ctx: Ctx) => and(eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt));
const isLiveConnection = (ctx: Ctx, id: string) => and(isLive(ctx), eq(connections.id, id));

/** Null where there is none, or none any more. */
export async function findConnection(ctx: Ctx, id: string): Promise<ConnectionRow | null> {
  const [row] = await ctx.db.select().from(connections).where(isLiveConnection(ctx, id));
  return row ?? null;
}

/** Newest first, one row beyond `limit`. */
export const selectConnections = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.db
    .select()
    .from(connections)
    .where(and(isLive(ctx), before === undefined ? undefined : lt(connections.id, before)))
    .orderBy(desc(connections.id))
    .limit(limit + 1);

const clearOtherDefaults = (ctx: Ctx, { id, channel }: Pick<ConnectionRow, "id" | "channel">): SQL =>
  ctx.db
    .update(connections)
    .set({ isDefault: false })
    .where(and(isLive(ctx), eq(connections.channel, channel), ne(connections.id, id), eq(connections.isDefault, true)))
    .getSQL();

/** The first connection of a channel becomes its default, whatever was asked for. `alongside` is run in the same transaction. */
export async function insertConnection(ctx: Ctx, row: ConnectionRow, alongside: SQL[]): Promise<void> {
  await ctx.control.insert(connectionShards).values({ connectionId: row.id, workspaceId: row.workspaceId });
  const others = sql`SELECT 1 FROM connections WHERE workspace_id = ${ctx.workspace.id} AND channel = ${row.channel} AND is_default AND deleted_at IS NULL`;
  const isDefault = row.isDefault ? sql`TRUE` : sql`NOT EXISTS (${others})`;
  await transact(ctx.db, {
    otherDefaults: row.isDefault ? [clearOtherDefaults(ctx, row)] : [],
    connection: ctx.db.insert(connections).values({ ...row, isDefault }),
    alongside,
  });
}

type ConnectionChange = Partial<
  Pick<
    ConnectionRow,
    | "name"
    | "messagesPerSecond"
    | "isDefault"
    | "config"
    | "secrets"
    | "status"
    | "statusDetail"
    | "statusAt"
    | "unreachableSince"
    | "retestAt"
  >
>;

/** Settings are merged in SQL, so that two changes at once keep both. */
export async function changeConnection(
  ctx: Ctx,
  connection: ConnectionRow,
  { config, secrets, ...change }: ConnectionChange,
): Promise<void> {
  const merged = {
    config: sql`json_patch(${connections.config}, ${JSON.stringify(config ?? {})})`,
    secrets: sql`json_patch(${connections.secrets}, ${JSON.stringify(secrets ?? {})})`,
  };
  await transact(ctx.db, {
    otherDefaults: change.isDefault === true ? [clearOtherDefaults(ctx, connection)] : [],
    changed: ctx.db
      .update(connections)
      .set({ ...change, ...merged })
      .where(isLiveConnection(ctx, connection.id)),
  });
}

export async function markConnectionDeleted(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ deletedAt: ctx.now(), isDefault: false, retestAt: null })
    .where(isLiveConnection(ctx, id));
}

/** The workspace of a connection known only by its id; null when there never was one. */
export async function findWorkspaceOfConnection(ctx: BaseCtx, id: string): Promise<WorkspaceRef | null> {
  const [row] = await ctx.control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(connectionShards)
    .innerJoin(workspaces, eq(workspaces.id, connectionShards.workspaceId))
    .where(eq(connectionShards.connectionId, id));
  return row ?? null;
}
