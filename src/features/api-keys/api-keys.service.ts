import * as z from "zod";
import type { apiKeys } from "../../db/schema/index.ts";
import { chunksOf } from "../../shared/chunks.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { Caller, CallerNames } from "../../shared/access/actor.ts";
import { type Plan, planName, workspaceRef } from "../../shared/access/workspace.ts";
import { requireConnection } from "../connections/connections.service.ts";
import type { Connection } from "../connections/connections.schemas.ts";
import { requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { emptyOutbox } from "../events/empty-outbox.ts";
import { requestKey } from "../idempotency/idempotency.service.ts";
import { type KeyPolicy, keyPolicy } from "../rate-limits/rate-limits.schemas.ts";
import { publishPolicy } from "../rate-limits/rate-limits.service.ts";
import {
  assertFutureExpiry,
  changeKey,
  createdKeyEvent,
  findRepeatFault,
  type KeyChange,
  revokedEvents,
  revokeKey,
} from "./api-keys.changes.ts";
import {
  incrementRevisions,
  insertApiKey,
  lastUse,
  type LoadedKey,
  type PublishedKey,
  selectApiKeys,
  selectKeyByHash,
  selectKeyById,
  selectLoadedKey,
  updateApiKeyRow,
  workspaceColumns,
} from "./api-keys.sql.ts";
import { mintKey } from "./api-keys.token.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

const callerNames = z.object({
  workspace: z.string(),
  plan: planName,
  key: z.string(),
}) satisfies z.ZodType<CallerNames>;

/** The part of a key that requests need. KV caches it under `key:<sha256>`, so that a request does not query D1. */
export const keyRecord = z.object({
  workspace: workspaceRef,
  connectionId: z.string(),
  readOnly: z.boolean(),
  /** Records that an earlier version cached do not have this field. */
  names: callerNames.optional(),
  policy: keyPolicy,
});

export type KeyRecord = z.infer<typeof keyRecord>;

/** Null if the plan does not include the API. */
export const planLimits = {
  free: null,
  growth: { requests: 600, windowSeconds: 60 },
  scale: { requests: 6000, windowSeconds: 60 },
} as const satisfies Record<Plan, { requests: number; windowSeconds: number } | null>;

function toPolicy(row: PublishedKey): KeyPolicy {
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

const namesOf = (row: PublishedKey): CallerNames => ({ workspace: row.workspaceName, plan: row.plan, key: row.name });

const toRecord = (row: PublishedKey): KeyRecord => ({
  workspace: { id: row.workspaceId, number: row.workspaceNumber, shard: row.shard },
  connectionId: row.connectionId,
  readOnly: row.readOnly,
  names: namesOf(row),
  policy: toPolicy(row),
});

const cacheKey = (hash: string) => `key:${hash}`;

/** The cached record can be a minute old. If KV fails, returns null, and the caller reads the key from D1. */
export async function findCachedKey(ctx: BaseCtx, hash: string): Promise<KeyRecord | null> {
  try {
    return keyRecord.safeParse(await ctx.cache.get(cacheKey(hash))).data ?? null;
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, error });
    return null;
  }
}

export async function loadKey(ctx: BaseCtx, hash: string): Promise<KeyRecord | null> {
  const [row] = await selectKeyByHash(ctx, hash);
  if (row === undefined) return null;
  const record = toRecord(row);
  ctx.waitUntil(ctx.cache.put(cacheKey(hash), record));
  return record;
}

/** Throws if a write to KV or to the limiter fails. The client then repeats the request, which writes both again. */
async function publishKey(ctx: Ctx, row: PublishedKey): Promise<void> {
  await publishPolicy(ctx, toPolicy(row));
  try {
    await ctx.cache.put(cacheKey(row.hash), toRecord(row));
  } catch (error) {
    log.error("cache_unreachable", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "This key was changed less than a second ago. Try again.");
  }
}

export const getApiKey = async (ctx: Ctx, id: string): Promise<LoadedKey> =>
  requireRow(await selectLoadedKey(ctx, id), "API key");

export const listApiKeys = async (ctx: Ctx, limit: number, before?: string): Promise<ApiKey[]> =>
  selectApiKeys(ctx, limit, before);

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

/** Only the response to this request and to its repeats contains the secret key. */
export async function createApiKey(
  ctx: Ctx,
  input: KeyChange & { name: string; connectionId: string; readOnly: boolean },
): Promise<{ apiKey: ApiKey; key: string }> {
  assertFutureExpiry(input.expiresAt, ctx.now());
  await requireConnection(ctx, input.connectionId);
  const key = await mintKey(ctx.keySecret, requestKey(ctx));
  const hash = await sha256Hex(key);
  const row = {
    id: ctx.newId("key"),
    workspaceId: ctx.workspace.id,
    connectionId: input.connectionId,
    hash,
    name: input.name,
    lastFour: key.slice(-4),
    readOnly: input.readOnly,
    requests: input.requests ?? null,
    windowSeconds: input.windowSeconds ?? null,
    revision: 1,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    createdAt: ctx.now(),
  };
  const apiKey: LoadedKey = await decideAndCommit(ctx, {
    database: "control",
    reads: { keys: selectKeyByHash(ctx, hash) },
    expectsNothing: true,
    decide({ keys: [repeated] }) {
      if (repeated !== undefined)
        return (
          findRepeatFault(repeated, ctx.now()) ?? {
            writes: [],
            events: [],
            answer: { ...repeated, lastUsedAt: lastUse(repeated.id) },
          }
        );
      return {
        writes: [insertApiKey(ctx, row)],
        events: [createdKeyEvent(row)],
        answer: { ...row, ...workspaceColumns(ctx), lastUsedAt: null },
      };
    },
  });
  ctx.waitUntil(emptyOutbox(ctx, ctx.workspace));
  await publishKey(ctx, apiKey);
  return { apiKey, key };
}

async function commitKey(
  ctx: Ctx,
  id: string,
  change: (key: PublishedKey) => PublishedKey | AppError,
): Promise<LoadedKey> {
  const changed: LoadedKey = await decideAndCommit(ctx, {
    database: "control",
    reads: { keys: selectKeyById(ctx, id) },
    decide({ keys: [key] }) {
      if (key === undefined) return notFound("API key");
      const after = change(key);
      if (after instanceof AppError) return after;
      const { name, readOnly, expiresAt, requests, windowSeconds, revokedAt, revision } = after;
      return {
        writes: [updateApiKeyRow(ctx, id, { name, readOnly, expiresAt, requests, windowSeconds, revokedAt, revision })],
        events: revokedEvents(key, after),
        answer: { ...after, lastUsedAt: lastUse(id) },
      };
    },
  });
  await publishKey(ctx, changed);
  return changed;
}

/** Throws `precondition_failed` if somebody changed a field after the form was rendered. */
export function updateApiKey(ctx: Ctx, id: string, change: KeyChange, rendered: KeyChange = {}): Promise<LoadedKey> {
  assertFutureExpiry(change.expiresAt, ctx.now());
  return commitKey(ctx, id, (key) => changeKey(key, change, rendered));
}

export async function revokeApiKey(ctx: Ctx, id: string): Promise<LoadedKey> {
  const now = ctx.now();
  const revoked = await commitKey(ctx, id, (key) => revokeKey(key, now));
  ctx.waitUntil(emptyOutbox(ctx, ctx.workspace));
  return revoked;
}

/** A Worker can have six open connections at a time, so we publish six keys at once. */
const AT_ONCE = 6;

/** Runs after a change of the workspace's plan or name, because KV and the limiters store copies of them. */
export async function republishKeys(ctx: Ctx): Promise<void> {
  const keys = await incrementRevisions(ctx);
  for (const some of chunksOf(keys, AT_ONCE)) await Promise.all(some.map((row) => publishKey(ctx, row)));
}
