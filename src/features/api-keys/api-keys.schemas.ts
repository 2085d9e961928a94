import * as z from "zod";
import type { apiKeys } from "../../db/schema/index.ts";
import { cursorParam, iso, isoOrNull, limitParam, boundedText, timestamp } from "../../http/fields.ts";

const rateLimit = z
  .strictObject({
    requests: z.int().min(1).max(10_000),
    window_seconds: z.int().min(1).max(3600),
  })
  .refine(({ requests, window_seconds }) => requests <= window_seconds * 500, {
    message: "At most 500 requests a second on average.",
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

/** As the service takes them. Only what was sent is a change: absent and null differ. */
export function settingsOf({ expires_at, rate_limit, read_only, name }: z.infer<typeof updateApiKeyBody>) {
  return {
    ...(name !== undefined && { name }),
    ...(read_only !== undefined && { readOnly: read_only }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Date.parse(expires_at) }),
    ...(rate_limit !== undefined && {
      rateLimit:
        rate_limit === null ? null : { requests: rate_limit.requests, windowSeconds: rate_limit.window_seconds },
    }),
  };
}

export const listApiKeysQuery = z.strictObject({ limit: limitParam(), cursor: cursorParam(z.tuple([z.string()])) });

export const apiKeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    connection_id: z.string(),
    last_four: z.string(),
    expires_at: timestamp.nullable(),
    read_only: z.boolean(),
    rate_limit: z.strictObject({ requests: z.int(), window_seconds: z.int() }).nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
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
