import { isoTime } from "../../db/idioms.ts";
import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import { and, desc, eq, getTableColumns, isNull, lt } from "drizzle-orm";
import { apiKeys, workspaces } from "../../db/schema/index.ts";
import { transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { changedFields, type ChangedFields, event, newFields } from "../events/append-events.sql.ts";
import { insertIntoOutbox } from "../events/outbox.sql.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** A key with the columns of its workspace that requests need; column names are distinct. */
const withWorkspace = {
  ...getTableColumns(apiKeys),
  workspaceNumber: workspaces.number,
  workspaceName: sql`${workspaces.name}`.mapWith(String).as("workspace_name"),
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

/** Those of these keys that exist, revoked ones among them. */
export const selectApiKeysById = (ctx: Ctx, ids: string[]) =>
  ctx.control
    .select()
    .from(apiKeys)
    .where(
      and(
        sql`${apiKeys.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(apiKeys.workspaceId, ctx.workspace.id),
      ),
    );

/** Settings of a new key as the API shows them. */
const keySettings: ChangedFields = {
  ...newFields(["name", "connection_id"]),
  expires_at: [sql`NULL`, isoTime(sql`expires_at`)],
  read_only: [sql`NULL`, sql`json(iif(read_only, 'true', 'false'))`],
  rate_limit: [
    sql`NULL`,
    sql`json(iif(requests IS NULL, 'null', json_object('requests', requests, 'window_seconds', window_seconds)))`,
  ],
};

/** Nothing happens where the key is there. */
export async function insertApiKey(ctx: Ctx, row: typeof apiKeys.$inferInsert): Promise<void> {
  const created = sql`SELECT ${event("api_key.created", sql`id`, changedFields(keySettings))} FROM api_keys WHERE id = ${row.id}`;
  await transact(ctx.control, {
    key: ctx.control.insert(apiKeys).values(row).onConflictDoNothing({ target: apiKeys.hash }),
    event: insertIntoOutbox(ctx, created),
  });
}

export type ApiKeyChange = Partial<
  Pick<ApiKeyRow, "name" | "readOnly" | "expiresAt" | "requests" | "windowSeconds" | "revokedAt">
>;

/** Every change is a new revision, also one that repeats the last: a call that died half-way can be repeated. */
export async function changeApiKey(
  ctx: Ctx,
  id: string,
  change: ApiKeyChange,
  shown: ApiKeyChange = {},
): Promise<void> {
  const revoked = sql`
    SELECT ${event("api_key.revoked", sql`id`, changedFields({ revoked_at: [sql`NULL`, isoTime(sql`${change.revokedAt ?? null}`)] }))}
    FROM api_keys WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND revoked_at IS NULL`;
  const from = sql`FROM api_keys WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;
  await transact(ctx.control, {
    precondition: failOnOtherValues(from, [
      [sql`name`, shown.name, change.name],
      [sql`read_only`, shown.readOnly, change.readOnly],
      [sql`expires_at`, shown.expiresAt, change.expiresAt],
      [sql`requests`, shown.requests, change.requests],
      [sql`window_seconds`, shown.windowSeconds, change.windowSeconds],
    ]),
    event: change.revokedAt === undefined ? [] : [insertIntoOutbox(ctx, revoked)],
    change: ctx.control
      .update(apiKeys)
      .set({ ...change, revision: sql`${apiKeys.revision} + 1` })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, ctx.workspace.id))),
  });
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
