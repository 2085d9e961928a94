import { and, desc, eq, getTableColumns, gt, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../db/idioms.ts";
import { apiKeys, workspaces } from "../../db/schema/index.ts";
import { transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { Plan } from "../../shared/access/workspace.ts";

/**
 * Omits `last_used_at`, because requests update it all the time. `decideAndCommit` repeats a decision when a value that
 * it read has changed.
 */
const { lastUsedAt, ...ownColumns } = getTableColumns(apiKeys);

/** D1 returns only one of two columns with the same name, so columns of the workspace get other names. */
const keyColumns = {
  ...ownColumns,
  workspaceNumber: workspaces.number,
  workspaceName: sql<string>`${workspaces.name}`.as("workspace_name"),
  shard: workspaces.shard,
  plan: workspaces.plan,
};

const selectKeys = (ctx: BaseCtx) =>
  ctx.control.select(keyColumns).from(apiKeys).innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId));

export type PublishedKey = Awaited<ReturnType<typeof selectKeys>>[number];

const isKey = (ctx: Ctx, id: string) => and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, ctx.workspace.id));

export const selectKeyById = (ctx: Ctx, id: string) => selectKeys(ctx).where(isKey(ctx, id));

export const selectKeyByHash = (ctx: BaseCtx, hash: string) => selectKeys(ctx).where(eq(apiKeys.hash, hash));

export const selectLoadedKey = (ctx: Ctx, id: string) =>
  ctx.control
    .select({ ...keyColumns, lastUsedAt })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(isKey(ctx, id));

export type LoadedKey = Awaited<ReturnType<typeof selectLoadedKey>>[number];

export const lastUse = (id: string): SQL<number | null> =>
  sql<number | null>`(SELECT ${apiKeys.lastUsedAt} FROM ${apiKeys} WHERE ${apiKeys.id} = ${id})`;

export const workspaceColumns = ({ workspace: { id, number, shard } }: Ctx) => ({
  workspaceNumber: number,
  shard,
  workspaceName: sql<string>`(SELECT ${workspaces.name} FROM ${workspaces} WHERE ${workspaces.id} = ${id})`,
  plan: sql<Plan>`(SELECT ${workspaces.plan} FROM ${workspaces} WHERE ${workspaces.id} = ${id})`,
});

export const selectApiKeys = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.control
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, ctx.workspace.id), before === undefined ? undefined : lt(apiKeys.id, before)))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1);

export const selectApiKeysById = (ctx: Ctx, ids: string[]) =>
  ctx.control
    .select()
    .from(apiKeys)
    .where(and(isOneOf(apiKeys.id, ids), eq(apiKeys.workspaceId, ctx.workspace.id)));

export const insertApiKey = (ctx: Ctx, row: typeof apiKeys.$inferInsert) => ctx.control.insert(apiKeys).values(row);

export const updateApiKeyRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof apiKeys>) =>
  ctx.control.update(apiKeys).set(row).where(isKey(ctx, id));

export async function incrementRevisions(ctx: Ctx): Promise<PublishedKey[]> {
  const isLive = and(eq(apiKeys.workspaceId, ctx.workspace.id), isNull(apiKeys.revokedAt));
  const { keys } = await transact(ctx.control, {
    change: ctx.control
      .update(apiKeys)
      .set({ revision: sql`${apiKeys.revision} + 1` })
      .where(isLive),
    keys: selectKeys(ctx).where(isLive),
  });
  return keys;
}

export async function findLiveKey(ctx: Ctx, connectionId: string): Promise<string | null> {
  const isUsable = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.now())));
  const [row] = await ctx.control
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, ctx.workspace.id), eq(apiKeys.connectionId, connectionId), isUsable))
    .limit(1);
  return row?.id ?? null;
}
