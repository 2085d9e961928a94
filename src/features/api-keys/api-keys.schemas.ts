import * as z from "zod";
import type { apiKeys, connections } from "../../db/schema/index.ts";
import { idCursorParam, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import type { Caller, CallerNames } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { planName } from "../../shared/access/workspace.ts";
import { connectionSummary } from "../connections/connections.schemas.ts";
import { iso, isoOrNull } from "../../shared/time/iso-times.ts";

const rateLimit = z
  .strictObject({
    requests: z.int().min(1).max(10_000),
    window_seconds: z.int().min(1).max(3600),
  })
  .refine(({ requests, window_seconds }) => requests <= window_seconds * 500, {
    message: "Must allow at most 500 requests a second on average.",
    params: { code: "too_big" },
  });

const expiresAt = z.iso.datetime({ offset: true }).nullable();

export const createApiKeyBody = z.strictObject({
  name: boundedText(120),
  connection_id: z.string().min(1),
  expires_at: expiresAt.optional(),
  read_only: z.boolean().optional(),
  rate_limit: rateLimit.nullable().optional(),
});

export const updateApiKeyBody = createApiKeyBody.omit({ connection_id: true }).partial();

export function settingsOf({ expires_at, rate_limit, read_only, name }: z.infer<typeof updateApiKeyBody>) {
  return {
    ...(name !== undefined && { name }),
    ...(read_only !== undefined && { readOnly: read_only }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Date.parse(expires_at) }),
    ...(rate_limit !== undefined && {
      requests: rate_limit?.requests ?? null,
      windowSeconds: rate_limit?.window_seconds ?? null,
    }),
  };
}

export const listApiKeysQuery = z.strictObject({ limit: limitParam(), cursor: idCursorParam("key") });

export const apiKeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    connection_id: z.string(),
    last_four: z.string().meta({ description: "Last characters of the key, so that you can tell keys apart." }),
    expires_at: timestamp.nullable().meta({ description: "Null if the key never expires." }),
    read_only: z.boolean().meta({ description: "True if the key can only read." }),
    rate_limit: z
      .strictObject({ requests: z.int(), window_seconds: z.int() })
      .nullable()
      .meta({ description: "Null if the limit of the workspace's plan applies." }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: "Accurate to the minute." }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });

export const presentApiKey = (row: typeof apiKeys.$inferSelect): z.infer<typeof apiKeyView> => ({
  id: row.id,
  name: row.name,
  connection_id: row.connectionId,
  last_four: row.lastFour,
  expires_at: isoOrNull(row.expiresAt),
  read_only: row.readOnly,
  rate_limit:
    row.requests === null || row.windowSeconds === null
      ? null
      : { requests: row.requests, window_seconds: row.windowSeconds },
  created_at: iso(row.createdAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  revoked_at: isoOrNull(row.revokedAt),
});

export const callerView = {
  workspace: z.strictObject({ id: z.string(), name: z.string(), plan: planName }),
  connection: z.strictObject(connectionSummary),
  api_key: z.strictObject({
    id: z.string(),
    name: z.string(),
    read_only: z.boolean(),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: "Null if the key has all permissions that `read_only` allows." }),
    expires_at: timestamp.nullable(),
    rate_limit: z.strictObject({ requests: z.int(), window_seconds: z.int() }).meta({
      description: "Limit that applies to the key: its own limit, or otherwise the limit of the workspace's plan.",
    }),
  }),
  usage: z.strictObject({
    requests: z.strictObject({ used: z.int(), remaining: z.int(), reset_seconds: z.int() }).meta({
      description:
        "Requests in the current window of the limit, including this request, as in the `RateLimit` headers.",
    }),
  }),
};

export function presentCaller(
  ctx: Ctx & { caller: Caller },
  {
    names,
    connection,
  }: { names: CallerNames; connection: Pick<typeof connections.$inferSelect, keyof typeof connectionSummary> },
): z.input<z.ZodObject<typeof callerView>> {
  const { keyId, readOnly, quota } = ctx.caller;
  const { id, name, channel, provider, status } = connection;
  return {
    workspace: { id: ctx.workspace.id, name: names.workspace, plan: names.plan },
    connection: { id, name, channel, provider, status },
    api_key: {
      id: keyId,
      name: names.key,
      read_only: readOnly,
      scopes: null,
      expires_at: isoOrNull(ctx.caller.expiresAt),
      rate_limit: { requests: quota.requests, window_seconds: quota.windowSeconds },
    },
    usage: {
      requests: {
        used: quota.requests - quota.remaining,
        remaining: quota.remaining,
        reset_seconds: Math.max(1, Math.ceil(quota.resetMs / 1000)),
      },
    },
  };
}
