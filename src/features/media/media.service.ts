import { fetchRow, fetchRows, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { invalid, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { faultOfUrl } from "../../shared/upstream.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { mediaKey } from "./media.keys.ts";
import { type MediaRecord, mediaRecord } from "./media.schemas.ts";
import {
  deleteMarkedMedia,
  insertPendingMedia,
  markMediaDeleted,
  mediaAsJson,
  selectMedia,
  selectMediaList,
} from "./media.sql.ts";
import { enqueueMediaFetch } from "./queue-media.ts";

/** Newest first, one beyond `limit` where there are more. */
export const listMedia = (ctx: Ctx, limit: number, before?: string): Promise<MediaRecord[]> =>
  fetchRows(ctx.db, selectMediaList(ctx, limit, before));

/** Throws `not_found`. */
export async function requireMedia(ctx: Ctx, id: string): Promise<MediaRecord> {
  const record = await fetchRow(ctx.db, selectMedia(ctx, id));
  if (record === undefined) throw notFound("file");
  return record;
}

/** Keeps the file behind an address, which is fetched soon. Throws `validation_failed`. */
export async function fetchMediaFrom(
  ctx: Ctx,
  { url, filename }: { url: string; filename: string | null },
): Promise<MediaRecord> {
  const fault = faultOfUrl(url, ctx.allowPrivateUpstreams);
  if (fault !== null) throw invalid({ path: "url", code: "invalid_url", message: fault });
  const id = ctx.newId("med");
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => [
      insertPendingMedia(ctx, { id, source: { url }, messageType: null, mimeType: null, filename }, guard),
    ],
    result: mediaAsJson(ctx, id),
    shape: mediaRecord,
  });
  if (result === null) throw new Error("The file was not inserted.");
  if (!replayed) await enqueueMediaFetch(ctx, [{ mediaId: id }]);
  return result;
}

/** Deletes the bytes and forgets the file; messages keep its id. Throws `not_found`, also the second time. */
export async function deleteMedia(ctx: Ctx, id: string): Promise<MediaRecord> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [markMediaDeleted(ctx, id, guard)],
    result: mediaAsJson(ctx, id),
    shape: mediaRecord,
    isAnsweredFirst: true,
  });
  if (result === null) throw notFound("file");
  try {
    await ctx.bucket.delete(mediaKey(ctx.workspace.id, id));
    ctx.waitUntil(transact(ctx.db, { forget: deleteMarkedMedia(ctx, id) }));
  } catch (error) {
    // Nobody sees it any more, and the sweep goes on.
    log.error("media_not_deleted", { requestId: ctx.requestId, mediaId: id, error });
  }
  return result;
}
