import * as z from "zod";
import { chunksOf } from "../../shared/chunks.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { Caller, CallerNames } from "../../shared/caller.ts";
import { type Plan, planName, workspaceRef } from "../../shared/workspace.ts";
import { type Connection, requireConnection } from "../connections/connections.service.ts";
import { emptyOutbox } from "../events/empty-outbox.ts";
import { REPEATABLE_MS } from "../idempotency/idempotency.days.ts";
import { requestKey } from "../idempotency/idempotency.service.ts";
import { type KeyPolicy, keyPolicy } from "../rate-limits/rate-limits.schemas.ts";
import { publishPolicy } from "../rate-limits/rate-limits.service.ts";
import {
  type ApiKeyChange,
  type ApiKeyRow,
  changeApiKey,
  findKeyByHash,
  findKeyById,
  incrementRevisions,
  insertApiKey,
  type LoadedKey,
  selectApiKeys,
} from "./api-keys.sql.ts";
import { mintKey } from "./api-keys.token.ts";

export type ApiKey = ApiKeyRow;

const callerNames = z.object({
  workspace: z.string(),
  plan: planName,
  key: z.string(),
}) satisfies z.ZodType<CallerNames>;

/** The part of a key that requests need; cached in KV under `key:<sha256>`. */
export const keyRecord = z.object({
  workspace: workspaceRef,
  connectionId: z.string(),
  readOnly: z.boolean(),
  /** Left out by earlier versions. */
  names: callerNames.optional(),
  policy: keyPolicy,
});

export type KeyRecord = z.infer<typeof keyRecord>;

/** The limit of a key without one of its own; null where the plan has no API. */
export const planLimits = {
  free: null,
  growth: { requests: 600, windowSeconds: 60 },
  scale: { requests: 6000, windowSeconds: 60 },
} as const satisfies Record<Plan, { requests: number; windowSeconds: number } | null>;

function toPolicy(row: LoadedKey): KeyPolicy {
  const standard = planLimits[row.plan];
  return {
    keyId: row.id,
    revision: row.revision,
    revoked: row.revokedAt !== null,
    expiresAt: row.expiresAt,
    requests: standard === null ? null : (row.requests ?? standard.requests),
    windowSeconds: row.windowSeconds ?? standard?.windowSeconds ?? 60,
  };
}

const namesOf = (row: LoadedKey): CallerNames => ({ workspace: row.workspaceName, plan: row.plan, key: row.name });

const toRecord = (row: LoadedKey): KeyRecord => ({
  workspace: { id: row.workspaceId, number: row.workspaceNumber, shard: row.shard },
  connectionId: row.connectionId,
  readOnly: row.readOnly,
  names: namesOf(row),
  policy: toPolicy(row),
});

const cacheKey = (hash: string) => `key:${hash}`;

/** The record KV holds, possibly a minute old; null when it holds none, or cannot be asked: D1 knows as well. */
export async function findCachedKey(ctx: BaseCtx, hash: string): Promise<KeyRecord | null> {
  try {
    return keyRecord.safeParse(await ctx.cache.get(cacheKey(hash))).data ?? null;
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, error });
    return null;
  }
}

/** The record as D1 has it, which is also put into KV; null when there is no such key. */
export async function loadKey(ctx: BaseCtx, hash: string): Promise<KeyRecord | null> {
  const row = await findKeyByHash(ctx, hash);
  if (row === null) return null;
  const record = toRecord(row);
  ctx.waitUntil(ctx.cache.put(cacheKey(hash), record));
  return record;
}

/** Limiter, then KV. D1 has it already; a failure here is answered as one, and repeating the call finishes it. */
async function publishKey(ctx: Ctx, row: LoadedKey): Promise<void> {
  await publishPolicy(ctx, toPolicy(row));
  try {
    await ctx.cache.put(cacheKey(row.hash), toRecord(row));
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "The key cache is busy; it takes one change of a key a second. Repeat the call.");
  }
}

export async function getApiKey(ctx: Ctx, id: string): Promise<LoadedKey> {
  const row = await findKeyById(ctx, id);
  if (row === null) throw notFound("API key");
  return row;
}

/** Newest first, one beyond `limit` where there are more. */
export const listApiKeys = async (ctx: Ctx, limit: number, before: string | undefined): Promise<ApiKey[]> =>
  selectApiKeys(ctx, limit, before);

/** A key's names and connection. */
export async function describeCaller(
  ctx: Ctx,
  { keyId, connectionId, names }: Caller,
): Promise<{ names: CallerNames; connection: Connection }> {
  const [known, connection] = await Promise.all([
    names ?? getApiKey(ctx, keyId).then(namesOf),
    requireConnection(ctx, connectionId),
  ]);
  return { names: known, connection };
}

interface Limits {
  expiresAt?: number | null;
  rateLimit?: { requests: number; windowSeconds: number } | null;
}

function checkExpiry(ctx: Ctx, { expiresAt }: Limits): void {
  if (typeof expiresAt !== "number" || expiresAt > ctx.now()) return;
  throw invalid({ path: "expires_at", code: "too_small", message: "Must lie in the future." });
}

/** Makes a key for one connection, for good. The value is returned here and, but for repeats of the request, never again. */
export async function createApiKey(
  ctx: Ctx,
  input: Limits & { name: string; connectionId: string; readOnly: boolean },
) {
  checkExpiry(ctx, input);
  await requireConnection(ctx, input.connectionId);
  const key = await mintKey(ctx.keySecret, requestKey(ctx));
  const hash = await sha256Hex(key);
  await insertApiKey(ctx, {
    id: ctx.newId("key"),
    workspaceId: ctx.workspace.id,
    connectionId: input.connectionId,
    hash,
    name: input.name,
    lastFour: key.slice(-4),
    readOnly: input.readOnly,
    requests: input.rateLimit?.requests ?? null,
    windowSeconds: input.rateLimit?.windowSeconds ?? null,
    expiresAt: input.expiresAt ?? null,
    createdAt: ctx.now(),
  });
  ctx.waitUntil(emptyOutbox(ctx, ctx.workspace));
  const apiKey = await findKeyByHash(ctx, hash);
  if (apiKey === null) throw notFound("API key");
  if (ctx.now() - apiKey.createdAt >= REPEATABLE_MS)
    throw new AppError("conflict", "This key was made before, and is not shown again. Create another one.");
  await publishKey(ctx, apiKey);
  return { apiKey, key };
}

type KeySettings = Limits & { name?: string; readOnly?: boolean };

const columnsOf = ({ rateLimit, ...settings }: KeySettings): ApiKeyChange =>
  rateLimit === undefined
    ? settings
    : { ...settings, requests: rateLimit?.requests ?? null, windowSeconds: rateLimit?.windowSeconds ?? null };

/** Throws `precondition_failed` where somebody else has changed the same since a form was made with what is `shown`. */
export async function updateApiKey(ctx: Ctx, id: string, change: KeySettings, shown: KeySettings = {}) {
  checkExpiry(ctx, change);
  if ((await getApiKey(ctx, id)).revokedAt !== null) {
    throw new AppError("invalid_state", "A revoked key cannot be changed. Create a new one.", { status: "revoked" });
  }
  return applyChange(ctx, id, columnsOf(change), columnsOf(shown));
}

/** Ends a key for good. Repeating it is fine. */
export async function revokeApiKey(ctx: Ctx, id: string): Promise<LoadedKey> {
  const { revokedAt } = await getApiKey(ctx, id);
  const revoked = await applyChange(ctx, id, { revokedAt: revokedAt ?? ctx.now() });
  ctx.waitUntil(emptyOutbox(ctx, ctx.workspace));
  return revoked;
}

async function applyChange(ctx: Ctx, id: string, change: ApiKeyChange, shown: ApiKeyChange = {}): Promise<LoadedKey> {
  await changeApiKey(ctx, id, change, shown);
  const row = await getApiKey(ctx, id);
  await publishKey(ctx, row);
  return row;
}

/** The platform allows six connections at a time. */
const AT_ONCE = 6;

/** Gives every live key's limiter the limit that the workspace's plan now has. */
export async function republishKeys(ctx: Ctx): Promise<void> {
  const keys = await incrementRevisions(ctx);
  for (const some of chunksOf(keys, AT_ONCE)) await Promise.all(some.map((row) => publishKey(ctx, row)));
}
