import { and, desc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import type { ConnectionNotice } from "../../channels/channel.ts";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import { connectionShards, connections, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";

export type ConnectionRow = typeof connections.$inferSelect;

const live = (ctx: Ctx) => and(eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt));
const one = (ctx: Ctx, id: string) => and(live(ctx), eq(connections.id, id));

export async function find(ctx: Ctx, id: string): Promise<ConnectionRow | null> {
  const [row] = await ctx.db.select().from(connections).where(one(ctx, id));
  return row ?? null;
}

/** Newest first, one row beyond `limit`. */
export function list(ctx: Ctx, limit: number, before: string | undefined): Promise<ConnectionRow[]> {
  return ctx.db
    .select()
    .from(connections)
    .where(before === undefined ? live(ctx) : and(live(ctx), lt(connections.id, before)))
    .orderBy(desc(connections.id))
    .limit(limit + 1);
}

const clearOtherDefaults = (ctx: Ctx, { id, channel }: Pick<ConnectionRow, "id" | "channel">) =>
  ctx.db
    .update(connections)
    .set({ isDefault: false })
    .where(and(live(ctx), eq(connections.channel, channel), ne(connections.id, id), eq(connections.isDefault, true)));

/** The first connection of a channel becomes its default, whatever was asked for. `alongside` is run in the same transaction. */
export async function insert(ctx: Ctx, row: ConnectionRow, alongside: SQL[]): Promise<void> {
  await ctx.control.insert(connectionShards).values({ connectionId: row.id, workspaceId: row.workspaceId });
  const others = sql`SELECT 1 FROM connections WHERE workspace_id = ${ctx.workspace.id} AND channel = ${row.channel} AND is_default AND deleted_at IS NULL`;
  const isDefault = row.isDefault ? sql`TRUE` : sql`NOT EXISTS (${others})`;
  const add = ctx.db.insert(connections).values({ ...row, isDefault });
  const clear = row.isDefault ? [clearOtherDefaults(ctx, row).getSQL()] : [];
  await batch(ctx.db, [...clear, add.getSQL(), ...alongside]);
}

export type ConnectionChange = Partial<
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
export async function update(
  ctx: Ctx,
  row: ConnectionRow,
  { config, secrets, ...change }: ConnectionChange,
): Promise<void> {
  const merged = {
    config: sql`json_patch(${connections.config}, ${JSON.stringify(config ?? {})})`,
    secrets: sql`json_patch(${connections.secrets}, ${JSON.stringify(secrets ?? {})})`,
  };
  const set = ctx.db
    .update(connections)
    .set({ ...change, ...merged })
    .where(one(ctx, row.id));
  await (change.isDefault ? ctx.db.batch([clearOtherDefaults(ctx, row), set]) : set);
}

export async function markDeleted(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.update(connections).set({ deletedAt: ctx.now(), isDefault: false, retestAt: null }).where(one(ctx, id));
}

/** Where a connection is, for who knows only its id; null when there never was one. */
export async function findWorkspaceOf(ctx: BaseCtx, id: string): Promise<WorkspaceRef | null> {
  const [row] = await ctx.control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(connectionShards)
    .innerJoin(workspaces, eq(workspaces.id, connectionShards.workspaceId))
    .where(eq(connectionShards.connectionId, id));
  return row ?? null;
}

/**
 * What a provider said of a connection at `at`; older news and repeats change nothing. News without a status are a detail
 * of a connection that works, and never hide why another does not. A provider that says something can be reached.
 */
export const noteConnection = (ctx: Ctx, id: string, { status, detail }: ConnectionNotice, at: number): SQL => {
  const mine = sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL AND coalesce(status_at, 0) <= ${at}`;
  return status === null
    ? sql`UPDATE connections SET status_detail = ${detail} WHERE ${mine} AND status = 'active' AND status_detail IS NOT ${detail}`
    : sql`
      UPDATE connections SET status = ${status}, status_detail = ${detail}, status_at = ${at},
        unreachable_since = NULL, retest_at = NULL
      WHERE ${mine} AND (status, status_detail, status_at) IS NOT (${status}, ${detail}, ${at})`;
};

export async function applyNotice(ctx: Ctx, id: string, notice: ConnectionNotice, at: number): Promise<void> {
  await ctx.db.run(noteConnection(ctx, id, notice, at));
}
