import * as z from "zod";
import { mediaTypes } from "../../channels/content.ts";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { mediaSource, mediaStatus } from "./media.schemas.ts";
import { isOwnMedia } from "./media.sql.ts";
import { FETCH_CLAIM_MS, KEPT_MS } from "./media.times.ts";
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

/** The right to fetch a file that is due, until the claim lapses. */
export const claimMedia = (ctx: Ctx, id: string): Statement<ClaimedMedia> =>
  statement(
    claimedMedia,
    sql`
      UPDATE media SET attempts = attempts + 1, fetch_at = ${ctx.now() + FETCH_CLAIM_MS}
      WHERE ${isOwnMedia(ctx, id)} AND status = 'pending' AND fetch_at <= ${ctx.now()}
      RETURNING id, source, message_type, mime_type, attempts, created_at`,
  );

const progress = z.object({ status: mediaStatus, fetch_at: z.number().nullable() });

/** How far a file has come that may be somebody else's to fetch. */
export const selectProgress = (ctx: Ctx, id: string): Statement<z.infer<typeof progress>> =>
  statement(progress, sql`SELECT status, fetch_at FROM media WHERE ${isOwnMedia(ctx, id)}`);

const isClaimed = (ctx: Ctx, { id, attempts }: ClaimedMedia): SQL =>
  sql`${isOwnMedia(ctx, id)} AND status = 'pending' AND attempts = ${attempts}`;

const settled = z.object({ id: z.string() });

export const settleStored = (ctx: Ctx, claim: ClaimedMedia, stored: StoredBytes): Statement<z.infer<typeof settled>> =>
  statement(
    settled,
    sql`
      UPDATE media SET status = 'stored', mime_type = ${stored.mimeType}, bytes = ${stored.bytes}, sha256 = ${stored.sha256},
        reason = NULL, fetch_at = NULL, expires_at = ${ctx.now() + KEPT_MS}
      WHERE ${isClaimed(ctx, claim)} RETURNING id`,
  );

export const settleFailed = (ctx: Ctx, claim: ClaimedMedia, reason: string): SQL =>
  sql`UPDATE media SET status = 'failed', reason = ${reason}, fetch_at = NULL WHERE ${isClaimed(ctx, claim)}`;

export const settlePostponed = (ctx: Ctx, claim: ClaimedMedia, reason: string, at: number): SQL =>
  sql`UPDATE media SET reason = ${reason}, fetch_at = ${at} WHERE ${isClaimed(ctx, claim)}`;
