import { and, desc, eq, getTableColumns, isNull, lt, sql } from "drizzle-orm";
import { apiKeys, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** A key with the columns of its workspace that requests need; column names are distinct. */
const withWorkspace = {
  ...getTableColumns(apiKeys),
  workspaceNumber: workspaces.number,
  shard: workspaces.shard,
  plan: workspaces.plan,
};

const selectWithWorkspace = (ctx: BaseCtx) =>
  ctx.control.select(withWorkspace).from(apiKeys).innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId));

export type LoadedKey = Awaited<ReturnType<typeof findKeyByHash>> & object;

export async function findKeyByHash(ctx: BaseCtx, hash: string) {
  const [row] = await selectWithWorkspace(ctx).where(eq(apiKeys.hash, hash)).limit(1);
  return row ?? null;
}

export async function findKeyById(ctx: Ctx, id: string): Promise<LoadedKey | null> {
  const [row] = await selectWithWorkspace(ctx).where(
    and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, ctx.workspace.id)),
  );
  return row ?? null;
}

/** Newest first, one row beyond `limit`. */
export const selectApiKeys = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.control
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, ctx.workspace.id), before === undefined ? undefined : lt(apiKeys.id, before)))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1);

export async function insertApiKey(ctx: Ctx, row: typeof apiKeys.$inferInsert): Promise<void> {
  await ctx.control.insert(apiKeys).values(row);
}

export type ApiKeyChange = Partial<
  Pick<ApiKeyRow, "name" | "readOnly" | "expiresAt" | "requests" | "windowSeconds" | "revokedAt">
>;

/** Every change is a new revision, also one that repeats the last: a call that died half-way can be repeated. */
export async function changeApiKey(ctx: Ctx, id: string, change: ApiKeyChange): Promise<void> {
  await ctx.control
    .update(apiKeys)
    .set({ ...change, revision: sql`${apiKeys.revision} + 1` })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, ctx.workspace.id)));
}

export async function incrementRevisions(ctx: Ctx): Promise<LoadedKey[]> {
  const live = and(eq(apiKeys.workspaceId, ctx.workspace.id), isNull(apiKeys.revokedAt));
  await ctx.control
    .update(apiKeys)
    .set({ revision: sql`${apiKeys.revision} + 1` })
    .where(live);
  return selectWithWorkspace(ctx).where(live);
}

/** The id of a key that could still be used and sends through the connection, or null. */
export async function findLiveKey(ctx: Ctx, connectionId: string): Promise<string | null> {
  const usable = sql`${apiKeys.revokedAt} IS NULL AND (${apiKeys.expiresAt} IS NULL OR ${apiKeys.expiresAt} > ${ctx.now()})`;
  const [row] = await ctx.control
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, ctx.workspace.id), eq(apiKeys.connectionId, connectionId), usable))
    .limit(1);
  return row?.id ?? null;
}

/** One statement for any number of keys; `used` maps key id to ms since the epoch. */
export async function updateLastUsed(ctx: BaseCtx, used: ReadonlyMap<string, number>): Promise<void> {
  const json = JSON.stringify(Object.fromEntries(used));
  const lastUsedAt = sql`json_extract(${json}, '$.' || ${apiKeys.id})`;
  await ctx.control
    .update(apiKeys)
    .set({ lastUsedAt })
    .where(
      sql`${apiKeys.id} IN (SELECT key FROM json_each(${json})) AND coalesce(${apiKeys.lastUsedAt}, 0) < ${lastUsedAt}`,
    );
}
