import { transact } from "../../../db/statement.ts";
import type { ByteBody, Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { discardMedia } from "./discard-media.ts";
import { mediaKey } from "../media.keys.ts";
import { MAX_MEDIA_BYTES } from "../media.kinds.ts";
import { MediaRefused, mediaError } from "../media.refusals.ts";
import { type MediaRecord, mediaRecord } from "../media.schemas.ts";
import { mediaAsJson } from "../media.sql.ts";
import { UPLOAD_IDLE_MS } from "./keeping-times.ts";
import { agreedType, mimeTypeOf } from "../media.types.ts";
import { type StoredBytes, storeBytes } from "./store-bytes.ts";
import { finishUpload, reserveUpload } from "./upload-media.sql.ts";

/** How much of a rejected file is still read: the size of a message's largest video. */
const READ_ON_BYTES = 16 * 1024 * 1024;

const tooLarge = () => new AppError("payload_too_large", `A file may have at most ${MAX_MEDIA_BYTES} bytes (100 MB).`);

function toRefusal(ctx: Ctx, error: unknown): unknown {
  if (error instanceof MediaRefused) return error.refusal.reason === "too_large" ? tooLarge() : mediaError(error);
  if (error instanceof AppError) return error;
  log.error("upload_not_stored", { requestId: ctx.requestId, error });
  return new AppError("unavailable", "The file could not be stored. Try again shortly.", null, 2);
}

/** Streams the body into the bucket and reserves a row, with which the sweep finds the remains of a failed upload. */
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

/**
 * Stores a file; a repeated request with the same bytes stores nothing. Throws `unsupported_media_type`, `payload_too_large`,
 * `media_invalid`, `idempotency_key_reused`.
 */
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
