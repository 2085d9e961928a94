import { and, eq, gt, inArray, ne, sql, type SQL } from "drizzle-orm";
import type { MediaType } from "../../channels/content.ts";
import { columns, insertSelect } from "../../db/columns.ts";
import { media, mediaUploads } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { cleanFilename } from "./media.names.ts";
import { isBeingDeleted, isVisible } from "./media-states.sql.ts";
import { type MediaRecord, mediaRecord, type MediaSource } from "./media.schemas.ts";

export interface PendingMedia {
  id: string;
  source: MediaSource;
  /** The type of the message that waits for the file, or null. The limits of this type apply to the file. */
  messageType: MediaType | null;
  mimeType: string | null;
  filename: string | null;
}

/**
 * Only inserts the row: call `enqueueMediaFetch` after the commit to start the download. Raw SQL, because the batches
 * that accept messages are raw.
 */
export const insertPendingMedia = (
  ctx: Ctx,
  { id, source, messageType, mimeType, filename }: PendingMedia,
  guard: SQL,
): SQL =>
  insertSelect(
    media,
    {
      id,
      workspaceId: ctx.workspace.id,
      status: "pending",
      mimeType,
      filename: cleanFilename(filename),
      messageType,
      source: JSON.stringify(source),
      fetchAt: ctx.now(),
      createdAt: ctx.now(),
    },
    sql`WHERE ${guard}`,
  );

const m = columns(media);

const recordFields = {
  id: media.id,
  mime_type: media.mimeType,
  bytes: media.bytes,
  sha256: media.sha256,
  filename: media.filename,
  status: media.status,
  reason: media.reason,
  created_at: media.createdAt,
};

export const isOwnMedia = (ctx: Ctx, id: string): SQL =>
  sql`${m.id} = ${id} AND ${m.workspaceId} = ${ctx.workspace.id}`;

const isVisibleFile = isVisible(media);

export const selectMedia = (ctx: Ctx, id: string) =>
  ctx.db
    .select(recordFields)
    .from(media)
    .where(and(isOwnMedia(ctx, id), isVisibleFile));

const recordColumns = sql.raw(Object.keys(mediaRecord.shape).join(", "));

const recordJson = sql.raw(
  `json_object(${Object.keys(mediaRecord.shape)
    .map((column) => `'${column}', ${column}`)
    .join(", ")})`,
);

export const mediaAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${recordJson} AS result FROM media WHERE ${isOwnMedia(ctx, id)} AND ${isVisibleFile}`;

export const selectMediaList = (ctx: Ctx, limit: number, before: string | undefined): Statement<MediaRecord> =>
  statement(
    mediaRecord,
    sql`
      SELECT ${recordColumns} FROM media INDEXED BY media_by_workspace
      WHERE ${m.workspaceId} = ${ctx.workspace.id} AND ${isVisibleFile}
        ${before === undefined ? sql`` : sql`AND ${m.id} < ${before}`}
      ORDER BY ${m.id} DESC LIMIT ${limit + 1}`,
  );

export const selectMediaAmong = (db: Database, workspaceIds: readonly string[], id: string) =>
  db
    .select({ ...recordFields, workspace_id: media.workspaceId })
    .from(media)
    .where(and(eq(media.id, id), inArray(media.workspaceId, workspaceIds), isVisibleFile));

export const markMediaDeleted = (ctx: Ctx, id: string) =>
  ctx.db.update(media).set({ status: "expired", fetchAt: null, expiresAt: ctx.now() }).where(isOwnMedia(ctx, id));

export const deleteMarkedMedia = (ctx: Ctx, id: string) =>
  ctx.db.delete(media).where(and(isOwnMedia(ctx, id), isBeingDeleted(media)));

export interface UploadKey {
  connectionId: string;
  sha256: string;
  mimeType: string;
}

export const isUpload = (ctx: Ctx, { connectionId, sha256, mimeType }: UploadKey) =>
  and(
    eq(mediaUploads.connectionId, connectionId),
    eq(mediaUploads.sha256, sha256),
    eq(mediaUploads.mimeType, mimeType),
    eq(mediaUploads.workspaceId, ctx.workspace.id),
  );

export const replaceUpload = (
  ctx: Ctx,
  upload: UploadKey & { providerMediaId: string; lapsesAt: number },
  condition: SQL,
) =>
  ctx.db
    .insert(mediaUploads)
    .values({ ...upload, workspaceId: ctx.workspace.id })
    .onConflictDoUpdate({
      target: [mediaUploads.connectionId, mediaUploads.sha256, mediaUploads.mimeType],
      set: { providerMediaId: upload.providerMediaId, lapsesAt: upload.lapsesAt },
      setWhere: sql`${condition} AND media_uploads.workspace_id = excluded.workspace_id`,
    });

export const selectMediaUpload = (
  ctx: Ctx,
  connectionId: string,
  { sha256, mimeType }: Omit<UploadKey, "connectionId">,
) =>
  ctx.db
    .select({ provider_media_id: mediaUploads.providerMediaId })
    .from(mediaUploads)
    .where(
      and(
        isUpload(ctx, { connectionId, sha256, mimeType }),
        gt(mediaUploads.lapsesAt, ctx.now()),
        ne(mediaUploads.providerMediaId, ""),
      ),
    );

export const upsertMediaUpload = (ctx: Ctx, upload: UploadKey & { providerMediaId: string; lapsesAt: number }) =>
  replaceUpload(ctx, upload, sql`excluded.lapses_at > media_uploads.lapses_at`);
