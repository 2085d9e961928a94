import { and, eq, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { mediaTypes } from "../../../channels/content.ts";
import { media } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { mediaSource } from "../media.schemas.ts";
import { isOwnMedia } from "../media.sql.ts";
import { FETCH_CLAIM_MS, KEPT_MS } from "./keeping-times.ts";
import type { StoredBytes } from "./store-bytes.ts";

const claimedMedia = z.object({
  id: z.string(),
  source: fromJson(mediaSource),
  message_type: z.enum(mediaTypes).nullable(),
  mime_type: z.string().nullable(),
  attempts: z.number(),
  created_at: z.number(),
});

export type ClaimedMedia = z.infer<typeof claimedMedia>;

/** Claims the fetch of a due file until the claim lapses. Raw, for a source parsed from JSON. */
export const claimMedia = (ctx: Ctx, id: string): Statement<ClaimedMedia> =>
  statement(
    claimedMedia,
    sql`
      UPDATE media SET attempts = attempts + 1, fetch_at = ${ctx.now() + FETCH_CLAIM_MS}
      WHERE ${isOwnMedia(ctx, id)} AND status = 'pending' AND fetch_at <= ${ctx.now()}
      RETURNING id, source, message_type, mime_type, attempts, created_at`,
  );

/** The state of a file that another job may be fetching. */
export const selectProgress = (ctx: Ctx, id: string) =>
  ctx.db.select({ status: media.status, fetch_at: media.fetchAt }).from(media).where(isOwnMedia(ctx, id));

/** Changes a file while the claim on it holds. Returns a row if it changed. */
const settle = (ctx: Ctx, { id, attempts }: ClaimedMedia, row: SQLiteUpdateSetSource<typeof media>) =>
  ctx.db
    .update(media)
    .set(row)
    .where(and(isOwnMedia(ctx, id), eq(media.status, "pending"), eq(media.attempts, attempts)))
    .returning({ id: media.id });

export const settleStored = (ctx: Ctx, claim: ClaimedMedia, stored: StoredBytes) =>
  settle(ctx, claim, { ...stored, status: "stored", reason: null, fetchAt: null, expiresAt: ctx.now() + KEPT_MS });

export const settleFailed = (ctx: Ctx, claim: ClaimedMedia, reason: string) =>
  settle(ctx, claim, { status: "failed", reason, fetchAt: null });

export const settlePostponed = (ctx: Ctx, claim: ClaimedMedia, reason: string, at: number) =>
  settle(ctx, claim, { reason, fetchAt: at });
