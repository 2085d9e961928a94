import { fetchRow, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { mediaKey } from "../media.keys.ts";
import { selectMedia } from "../media.sql.ts";
import { deleteReserved } from "./upload-media.sql.ts";

/**
 * Deletes the bytes of an upload or fetch unless a row shows them as stored, because the response to a commit may be lost. If this
 * fails, the sweep deletes the bytes.
 */
export async function discardMedia(ctx: Ctx, id: string): Promise<void> {
  try {
    const shown = await fetchRow(ctx.db, selectMedia(ctx, id));
    if (shown?.status === "stored") return;
    await ctx.bucket.delete(mediaKey(ctx.workspace.id, id));
    await transact(ctx.db, { reserved: deleteReserved(ctx, id) });
  } catch (error) {
    log.error("media_not_discarded", { requestId: ctx.requestId, mediaId: id, error });
  }
}
