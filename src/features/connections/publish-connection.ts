import * as z from "zod";
import { channelOf } from "../../channels/registry.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { workspaceRef } from "../../shared/workspace.ts";
import * as repository from "./connections.sql.ts";
import { sealedSecrets } from "./connections.schemas.ts";

/** What a provider's webhook is checked and read with; in KV under `conn:<id>`. `loadedAt`: when D1 said so. */
const publishedConnection = z.object({
  id: z.string(),
  workspace: workspaceRef,
  provider: z.string(),
  config: z.record(z.string(), z.string()),
  secrets: sealedSecrets,
  loadedAt: z.number(),
});

const withdrawn = z.object({ withdrawn: z.literal(true), loadedAt: z.number() });

export type PublishedConnection = z.infer<typeof publishedConnection>;

/** A connection as hooks see it, or that there is none. */
export type Published = PublishedConnection | z.infer<typeof withdrawn>;

const published = z.union([publishedConnection, withdrawn]);

const cacheKey = (id: string) => `conn:${id}`;

/** KV is a copy: a write that fails is made up for by the next look into D1. */
async function put(ctx: BaseCtx, id: string, value: Published): Promise<void> {
  try {
    await ctx.cache.put(cacheKey(id), value);
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, connectionId: id, error });
  }
}

function present(ctx: Ctx, row: repository.ConnectionRow): PublishedConnection {
  const names = channelOf(row.provider)?.webhook?.secrets ?? [];
  const secrets = Object.fromEntries(Object.entries(row.secrets).filter(([name]) => names.includes(name)));
  const { id, provider, config } = row;
  return { id, workspace: ctx.workspace, provider, config, secrets, loadedAt: ctx.now() };
}

/** Lets webhooks of a connection be checked without D1. */
export const publishConnection = (ctx: Ctx, row: repository.ConnectionRow): Promise<void> =>
  put(ctx, row.id, present(ctx, row));

/** Has webhooks of a connection refused. */
export const withdrawConnection = (ctx: Ctx, id: string): Promise<void> =>
  put(ctx, id, { withdrawn: true, loadedAt: ctx.now() });

/** What KV holds of a connection, possibly a minute old; null when it holds nothing, or cannot be asked. */
export async function findPublished(ctx: BaseCtx, id: string): Promise<Published | null> {
  try {
    return published.safeParse(await ctx.cache.get(cacheKey(id))).data ?? null;
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, connectionId: id, error });
    return null;
  }
}

/** The connection as D1 has it, which is also put into KV; null when there is none by this id. */
export async function loadPublished(base: BaseCtx, id: string): Promise<PublishedConnection | null> {
  const workspace = await repository.findWorkspaceOf(base, id);
  if (workspace === null) return null;
  const ctx = forWorkspace(base, workspace);
  const row = await repository.find(ctx, id);
  if (row === null) {
    ctx.waitUntil(withdrawConnection(ctx, id));
    return null;
  }
  const found = present(ctx, row);
  ctx.waitUntil(put(ctx, id, found));
  return found;
}
