import type { MediaFile } from "../../channels/media.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { SECOND_MS } from "../../shared/durations.ts";
import { deleteUploadClaim, insertUploadClaim } from "./claim-upload.sql.ts";
import { selectMediaUpload } from "./media.sql.ts";

/** Longer than an upload may take: a claim that was held longer is that of a process that died. */
const CLAIM_MS = 30 * SECOND_MS;

/** Whether a file is at the provider, is being uploaded by another job, or was claimed here to be uploaded. */
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

/** Lets others upload a file that could not be. */
export async function releaseUpload(ctx: Ctx, connectionId: string, file: MediaFile): Promise<void> {
  await transact(ctx.db, { release: deleteUploadClaim(ctx, { connectionId, ...file }) });
}
