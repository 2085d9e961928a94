import * as z from "zod";
import type { OpenConnection } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { Memo } from "../../shared/memo.ts";
import { HOUR_MS, SECOND_MS } from "../../shared/time/durations.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";
import { findConnection, findWorkspaceOfConnection } from "./connections.sql.ts";
import { sealedSecrets, type Connection } from "./connections.schemas.ts";

/**
 * KV has a copy of these settings under `conn:<id>`, because every incoming webhook needs them. `loadedAt` is the time
 * when they were read from D1.
 */
const publishedConnection = z.object({
  id: z.string(),
  workspace: workspaceRef,
  provider: z.string(),
  config: z.record(z.string(), z.string()),
  secrets: sealedSecrets,
  messagesPerSecond: z.number(),
  loadedAt: z.number(),
});

const withdrawn = z.object({ withdrawn: z.literal(true), loadedAt: z.number() });

export type PublishedConnection = z.infer<typeof publishedConnection>;

export type Published = PublishedConnection | z.infer<typeof withdrawn>;

const published = z.union([publishedConnection, withdrawn]);

interface OpenedConnection {
  published: PublishedConnection;
  connection: OpenConnection;
}

/** A change that another isolate makes takes effect in this isolate after this time. */
const RECENT_MS = 30 * SECOND_MS;

/**
 * Connections that this isolate has recently opened. Each status of a message causes a webhook request, so we do not
 * decrypt the secrets for every request.
 */
const recentlyOpened = new Memo<OpenedConnection>(1000, RECENT_MS);

export const findOpened = (ctx: BaseCtx, id: string): OpenedConnection | undefined => recentlyOpened.get(id, ctx.now());

export const keepOpened = (ctx: BaseCtx, opened: OpenedConnection): OpenedConnection =>
  recentlyOpened.set(opened.published.id, opened, ctx.now());

const cacheKey = (id: string) => `conn:${id}`;

/**
 * A failed write is only logged, because D1 has the settings. KV then returns the old entry until it expires, for at
 * most an hour.
 */
async function putPublished(ctx: BaseCtx, id: string, value: Published): Promise<void> {
  recentlyOpened.delete(id);
  try {
    await ctx.cache.put(cacheKey(id), value, { ttlSeconds: HOUR_MS / SECOND_MS });
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, connectionId: id, error });
  }
}

async function toPublished(ctx: Ctx, row: Connection): Promise<PublishedConnection> {
  const channel = await loadChannel(row.provider);
  const names = channel?.webhook?.secrets ?? [];
  const secrets = Object.fromEntries(Object.entries(row.secrets).filter(([name]) => names.includes(name)));
  const { id, provider, config, messagesPerSecond } = row;
  return { id, workspace: ctx.workspace, provider, config, secrets, messagesPerSecond, loadedAt: ctx.now() };
}

export const publishConnection = async (ctx: Ctx, row: Connection): Promise<void> =>
  putPublished(ctx, row.id, await toPublished(ctx, row));

/** Marks the connection in KV as withdrawn. Tidings then rejects the provider's webhooks for this connection. */
export const withdrawConnection = (ctx: Ctx, id: string): Promise<void> =>
  putPublished(ctx, id, { withdrawn: true, loadedAt: ctx.now() });

/**
 * Returns null if the caller must read D1: KV cannot be reached, has no entry, or has an entry that an earlier version
 * wrote with fewer fields. KV caches reads, so the entry can be a minute out of date.
 */
export async function findPublished(ctx: BaseCtx, id: string): Promise<Published | null> {
  try {
    return published.safeParse(await ctx.cache.get(cacheKey(id))).data ?? null;
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, connectionId: id, error });
    return null;
  }
}

export async function loadPublished(base: BaseCtx, id: string): Promise<PublishedConnection | null> {
  const workspace = await findWorkspaceOfConnection(base, id);
  if (workspace === null) return null;
  const ctx = forWorkspace(base, workspace);
  const row = await findConnection(ctx, id);
  if (row === null) {
    ctx.waitUntil(withdrawConnection(ctx, id));
    return null;
  }
  const found = await toPublished(ctx, row);
  ctx.waitUntil(putPublished(ctx, id, found));
  return found;
}
