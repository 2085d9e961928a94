import { and, eq, inArray, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import { connections } from "../../db/schema/index.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { MAX_SYNC_DOUBLINGS, SYNC_AFTER_CHANGE_MS, TEMPLATE_SYNC_MS } from "./template-syncs.ts";

/** `templateSyncPauseMs` in SQL, from the failures before this sync. */
const pause = sql`(${TEMPLATE_SYNC_MS} << min(template_sync_failures, ${MAX_SYNC_DOUBLINGS}))`;

/** Claims the connections of any workspace that are due for a template sync. A sync counts as failed until it ends. */
export async function claimTemplateSyncs(db: Database, now: number, limit: number): Promise<string[]> {
  const isDue = lte(connections.templateSyncAt, now);
  const due = db
    .select({ id: connections.id })
    .from(connections)
    .where(isDue)
    .orderBy(connections.templateSyncAt)
    .limit(limit);
  const claimed = await db
    .update(connections)
    .set({
      templateSyncAt: sql`${now} + ${pause}`,
      templateSyncFailures: sql`${connections.templateSyncFailures} + 1`,
    })
    .where(and(inArray(connections.id, due), isDue, isNull(connections.deletedAt)))
    .returning({ id: connections.id });
  return claimed.map(({ id }) => id);
}

const isConnection = (ctx: Ctx, id: string) =>
  and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id));

/** Stays null if the provider has no templates. */
const soonestSync = (at: number): SQL => sql`min(${connections.templateSyncAt}, ${at})`;

/** The next sync runs in an hour. */
export async function markTemplatesSynced(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ templateSyncAt: ctx.now() + TEMPLATE_SYNC_MS, templateSyncFailures: 0 })
    .where(and(isConnection(ctx, id), isNotNull(connections.templateSyncAt)));
}

/** Moves the next template sync to the next minute, unless the provider has no templates. */
export async function syncTemplatesSoon(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ templateSyncAt: soonestSync(ctx.now()) })
    .where(isConnection(ctx, id));
}

/** Notes a change of a template at the provider: lists fetched before are outdated, and the next sync is soon. */
export const noteTemplateChange = (ctx: Ctx, id: string) =>
  ctx.db
    .update(connections)
    .set({
      templateChanges: sql`${connections.templateChanges} + 1`,
      templateSyncAt: soonestSync(ctx.now() + SYNC_AFTER_CHANGE_MS),
    })
    .where(isConnection(ctx, id));
