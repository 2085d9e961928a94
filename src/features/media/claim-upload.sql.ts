import { and, eq, sql } from "drizzle-orm";
import { mediaUploads } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { isUpload, replaceUpload, type UploadKey } from "./media.sql.ts";

/** In place of the provider's id, while the file is being uploaded. */
const UNDER_WAY = "";

/** Claims the upload of a file that the provider does not have, unless another holds the claim; a row if it was claimed. */
export const insertUploadClaim = (ctx: Ctx, key: UploadKey, until: number) =>
  replaceUpload(
    ctx,
    { ...key, providerMediaId: UNDER_WAY, lapsesAt: until },
    sql`media_uploads.lapses_at <= ${ctx.now()}`,
  ).returning({ lapses_at: mediaUploads.lapsesAt });

export const deleteUploadClaim = (ctx: Ctx, key: UploadKey) =>
  ctx.db.delete(mediaUploads).where(and(isUpload(ctx, key), eq(mediaUploads.providerMediaId, UNDER_WAY)));
