import { and, eq, sql } from "drizzle-orm";
import type { MediaFile } from "../../../channels/media.ts";
import { mediaUploads } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";
import { type UploadKey, isUpload, replaceUpload, selectMediaUpload } from "../media.sql.ts";

/** Replaces the provider's id during an upload. */
const UNDER_WAY = "";

/** Claims the upload of a file that the provider does not have. Returns a row unless another process holds the claim. */
const insertUploadClaim = (ctx: Ctx, key: UploadKey, until: number) =>
  replaceUpload(
    ctx,
    { ...key, providerMediaId: UNDER_WAY, lapsesAt: until },
    sql`media_uploads.lapses_at <= ${ctx.now()}`,
  ).returning({ lapses_at: mediaUploads.lapsesAt });

const deleteUploadClaim = (ctx: Ctx, key: UploadKey) =>
  ctx.db.delete(mediaUploads).where(and(isUpload(ctx, key), eq(mediaUploads.providerMediaId, UNDER_WAY)));

/** Longer than an upload may take. The process of an older claim has died. */
const CLAIM_MS = 30 * SECOND_MS;

/** Claims an upload unless the provider has the file or another job uploads it. */
export async function claimUpload(
  ctx: Ctx,
  connectionId: string,
  file: MediaFile,
): Promise<"uploaded" | "under_way" | "claimed"> {
  const { known, claimed } = await transact(ctx.db, {
    known: selectMediaUpload(ctx, connectionId, file),
    claimed: insertUploadClaim(ctx, { connectionId, ...file }, ctx.now() + CLAIM_MS),
  });
  if (known.length > 0) return "uploaded";
  return claimed.length > 0 ? "claimed" : "under_way";
}

/** Releases the claim of a failed upload. */
export async function releaseUpload(ctx: Ctx, connectionId: string, file: MediaFile): Promise<void> {
  await transact(ctx.db, { release: deleteUploadClaim(ctx, { connectionId, ...file }) });
}
