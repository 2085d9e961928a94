import { transact, fetchRow } from "../../../db/statement.ts";
import type { ByteBody, Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { commitOnce } from "../../commits/commit-once.ts";

import { mediaKey, cleanFilename } from "../media.names.ts";
import { MAX_MEDIA_BYTES, MediaRefused, mediaError } from "../media.kinds.ts";
import { type MediaRecord, mediaRecord } from "../media.schemas.ts";
import { mediaAsJson, isOwnMedia, selectMedia } from "../media.sql.ts";

import { agreedType, mimeTypeOf } from "../media.types.ts";
import { sql, type SQL } from "drizzle-orm";
import { updateSet } from "../../../db/columns.ts";
import { media } from "../../../db/schema/index.ts";
import { isUploading } from "../media-states.sql.ts";
import { DAY_MS, SECOND_MS } from "../../../shared/time/durations.ts";
import { type StoredBytes, storeBytes } from "./store-bytes.ts";

export const KEPT_MS = 365 * DAY_MS;

const UPLOAD_MS = DAY_MS;
const UPLOAD_IDLE_MS = 30 * SECOND_MS;

/**
 * Inserts a pending row without a source. Such a row marks an unfinished upload, and the API hides it. If the upload
 * does not end in time, the sweep deletes the row and the bytes.
 */
const reserveUpload = (ctx: Ctx, id: string) =>
  ctx.db.insert(media).values({
    id,
    workspaceId: ctx.workspace.id,
    status: "pending",
    createdAt: ctx.now(),
    expiresAt: ctx.now() + UPLOAD_MS,
  });

const isReserved = (ctx: Ctx, id: string): SQL => sql`${isOwnMedia(ctx, id)} AND ${isUploading(media)}`;

/**
 * If a client repeats an upload, each request reserves its own row. `guard` is true only for the request that stores
 * its response, so only that request keeps its row and bytes.
 */
const finishUpload = (
  ctx: Ctx,
  { id, filename, ...stored }: { id: string; filename: string | null } & StoredBytes,
  guard: SQL,
): SQL =>
  updateSet(
    media,
    { ...stored, status: "stored", filename: cleanFilename(filename), expiresAt: ctx.now() + KEPT_MS },
    sql`WHERE ${isReserved(ctx, id)} AND ${guard}`,
  );

const deleteReserved = (ctx: Ctx, id: string) => ctx.db.delete(media).where(isReserved(ctx, id));

/**
 * A commit can succeed although its response is lost, so we check the row before we delete the bytes. If the deletion
 * fails, the sweep deletes the bytes.
 */
export async function discardMedia(ctx: Ctx, id: string): Promise<void> {
  try {
    const found = await fetchRow(ctx.db, selectMedia(ctx, id));
    if (found?.status === "stored") return;
    await ctx.bucket.delete(mediaKey(ctx.workspace.id, id));
    await transact(ctx.db, { reserved: deleteReserved(ctx, id) });
  } catch (error) {
    log.error("media_not_discarded", { requestId: ctx.requestId, mediaId: id, error });
  }
}

/**
 * We read up to this much of a rejected upload, so that the client reads our response. This is the size of the largest
 * video that a message accepts.
 */
const READ_ON_BYTES = 16 * 1024 * 1024;

const tooLarge = () => new AppError("payload_too_large", `A file can have at most ${MAX_MEDIA_BYTES} bytes (100 MB).`);

function toRefusal(ctx: Ctx, error: unknown): unknown {
  if (error instanceof MediaRefused) return error.refusal.reason === "too_large" ? tooLarge() : mediaError(error);
  if (error instanceof AppError) return error;
  log.error("upload_not_stored", { requestId: ctx.requestId, error });
  return new AppError("unavailable", "The file could not be stored. Try again shortly.", null, 2);
}

/** Reserves a row while the bytes are stored. If the upload fails, the sweep finds the bytes through the row. */
async function storeUpload(ctx: Ctx, id: string, body: ByteBody, declared: string): Promise<StoredBytes> {
  const [stored, reserved] = await Promise.allSettled([
    storeBytes(ctx, mediaKey(ctx.workspace.id, id), {
      body: body.stream,
      length: body.length,
      maxBytes: MAX_MEDIA_BYTES,
      idleMs: UPLOAD_IDLE_MS,
      readOnBytes: READ_ON_BYTES,
      identify(head) {
        const agreed = agreedType(declared, head);
        if (agreed === null)
          throw new MediaRefused({ reason: "wrong_type" }, `The file does not match its type, ${declared}.`);
        return agreed;
      },
    }),
    transact(ctx.db, { reserve: reserveUpload(ctx, id) }),
  ]);
  if (stored.status === "rejected") throw stored.reason;
  if (reserved.status === "rejected") throw reserved.reason;
  return stored.value;
}

export async function uploadMedia(ctx: Ctx, body: ByteBody, filename: string | null): Promise<MediaRecord> {
  const declared = mimeTypeOf(body.contentType);
  if (declared === null)
    throw new AppError("unsupported_media_type", "Send the file's type as its Content-Type, like image/jpeg.");
  if ((body.length ?? 0) > MAX_MEDIA_BYTES) throw tooLarge();
  const id = ctx.newId("med");
  let kept: string | undefined;
  try {
    const stored = await storeUpload(ctx, id, body, declared);
    const { result } = await commitOnce(
      { ...ctx, once: await body.onceFor(stored.sha256) },
      {
        effects: (guard) => [finishUpload(ctx, { id, filename, ...stored }, guard)],
        result: mediaAsJson(ctx, id),
        shape: mediaRecord,
      },
    );
    if (result === null) throw new AppError("unavailable", "The upload took too long. Try again.", null, 2);
    kept = result.id;
    return result;
  } catch (error) {
    throw toRefusal(ctx, error);
  } finally {
    if (kept !== id) await discardMedia(ctx, id);
  }
}
