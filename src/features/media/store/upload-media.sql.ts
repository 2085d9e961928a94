import { sql } from "drizzle-orm";
import { media } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { cleanFilename } from "../media.filenames.ts";
import { isUploading } from "../media-states.sql.ts";
import { isOwnMedia } from "../media.sql.ts";
import { KEPT_MS, UPLOAD_MS } from "./keeping-times.ts";
import type { StoredBytes } from "./store-bytes.ts";

/** A pending row without a source is hidden. The sweep deletes the row and its bytes unless the upload ends in time. */
export const reserveUpload = (ctx: Ctx, id: string) =>
  ctx.db.insert(media).values({
    id,
    workspaceId: ctx.workspace.id,
    status: "pending",
    createdAt: ctx.now(),
    expiresAt: ctx.now() + UPLOAD_MS,
  });

const isReserved = (ctx: Ctx, id: string): SQL => sql`${isOwnMedia(ctx, id)} AND ${isUploading(media)}`;

/** Raw, because only the request that stores the response may keep its bytes. A repeated request has its own reservation. */
export const finishUpload = (
  ctx: Ctx,
  { id, filename, mimeType, bytes, sha256 }: { id: string; filename: string | null } & StoredBytes,
  guard: SQL,
): SQL => sql`
  UPDATE media SET status = 'stored', mime_type = ${mimeType}, bytes = ${bytes}, sha256 = ${sha256},
    filename = ${cleanFilename(filename)}, expires_at = ${ctx.now() + KEPT_MS}
  WHERE ${isReserved(ctx, id)} AND ${guard}`;

export const deleteReserved = (ctx: Ctx, id: string) => ctx.db.delete(media).where(isReserved(ctx, id));
