import { and, desc, eq, isNotNull, isNull, lt, ne, type SQL, inArray, lte, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { columns } from "../../db/columns.ts";
import { connections, connectionShards, workspaces } from "../../db/schema/index.ts";
import { fetchRow } from "../../db/statement.ts";
import type { BaseCtx, Ctx, Database } from "../../shared/context.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";
import { MAX_SYNC_DOUBLINGS, SYNC_AFTER_CHANGE_MS, TEMPLATE_SYNC_MS } from "./connections.schedules.ts";
import type { Connection } from "./connections.schemas.ts";

const isLive = (ctx: Ctx) => and(eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt));
const isLiveConnection = (ctx: Ctx, id: string | SQL) => and(isLive(ctx), eq(connections.id, id));

export const selectConnection = (ctx: Ctx, id: string | SQL) =>
  ctx.db.select().from(connections).where(isLiveConnection(ctx, id));

export const selectDeletedConnection = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: connections.id })
    .from(connections)
    .where(
      and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id), isNotNull(connections.deletedAt)),
    );

export const findConnection = async (ctx: Ctx, id: string): Promise<Connection | null> =>
  (await fetchRow(ctx.db, selectConnection(ctx, id))) ?? null;

export const selectConnections = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.db
    .select()
    .from(connections)
    .where(and(isLive(ctx), before === undefined ? undefined : lt(connections.id, before)))
    .orderBy(desc(connections.id))
    .limit(limit + 1);

const isOtherDefault = (ctx: Ctx, { id, channel }: Pick<Connection, "id" | "channel">) =>
  and(isLive(ctx), eq(connections.channel, channel), ne(connections.id, id), eq(connections.isDefault, true));

export const selectOtherDefaults = (ctx: Ctx, connection: Pick<Connection, "id" | "channel">) =>
  ctx.db.select({ id: connections.id }).from(connections).where(isOtherDefault(ctx, connection));

export const clearOtherDefaults = (ctx: Ctx, connection: Pick<Connection, "id" | "channel">) =>
  ctx.db.update(connections).set({ isDefault: false }).where(isOtherDefault(ctx, connection));

export const insertConnectionShard = (ctx: Ctx, connectionId: string) =>
  ctx.control.insert(connectionShards).values({ connectionId, workspaceId: ctx.workspace.id });

export const insertConnection = (ctx: Ctx, row: Connection) => ctx.db.insert(connections).values(row);

export const updateConnectionRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof connections>) =>
  ctx.db.update(connections).set(row).where(isLiveConnection(ctx, id));

export async function findWorkspaceOfConnection(ctx: BaseCtx, id: string): Promise<WorkspaceRef | null> {
  const [row] = await ctx.control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(connectionShards)
    .innerJoin(workspaces, eq(workspaces.id, connectionShards.workspaceId))
    .where(eq(connectionShards.connectionId, id));
  return row ?? null;
}

export async function claimDueConnections(
  db: Database,
  dueAt: SQLiteColumn,
  { now, limit }: { now: number; limit: number },
  condition: SQL | undefined,
  set: Partial<Record<keyof Connection, SQL>>,
): Promise<string[]> {
  const due = db.select({ id: connections.id }).from(connections).where(lte(dueAt, now)).orderBy(dueAt).limit(limit);
  const claimed = await db
    .update(connections)
    .set(set)
    .where(and(inArray(connections.id, due), lte(dueAt, now), condition, isNull(connections.deletedAt)))
    .returning({ id: connections.id });
  return claimed.map(({ id }) => id);
}

/** The same as `templateSyncPauseMs`, in SQL. The UPDATE reads the number of failures before it counts this sync. */
const pause = sql`(${TEMPLATE_SYNC_MS} << min(${columns(connections).templateSyncFailures}, ${MAX_SYNC_DOUBLINGS}))`;

/**
 * Counts each sync as failed when it starts. `markTemplatesSynced` resets the count. A sync that crashes is therefore
 * repeated after a pause.
 */
export const claimTemplateSyncs = (db: Database, now: number, limit: number): Promise<string[]> =>
  claimDueConnections(db, connections.templateSyncAt, { now, limit }, undefined, {
    templateSyncAt: sql`${now} + ${pause}`,
    templateSyncFailures: sql`${connections.templateSyncFailures} + 1`,
  });

const isConnection = (ctx: Ctx, id: string) =>
  and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id));

const soonestSync = (at: number): SQL => sql`min(${connections.templateSyncAt}, ${at})`;

export async function markTemplatesSynced(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ templateSyncAt: ctx.now() + TEMPLATE_SYNC_MS, templateSyncFailures: 0 })
    .where(and(isConnection(ctx, id), isNotNull(connections.templateSyncAt)));
}

export async function syncTemplatesSoon(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ templateSyncAt: soonestSync(ctx.now()) })
    .where(isConnection(ctx, id));
}

/**
 * Counts a change of a template. A sync compares the count before and after it fetches the provider's list. If the
 * count has changed, the list may be older than the change, so the sync does not store it.
 */
export const noteTemplateChange = (ctx: Ctx, id: string) =>
  ctx.db
    .update(connections)
    .set({
      templateChanges: sql`${connections.templateChanges} + 1`,
      templateSyncAt: soonestSync(ctx.now() + SYNC_AFTER_CHANGE_MS),
    })
    .where(isConnection(ctx, id));
