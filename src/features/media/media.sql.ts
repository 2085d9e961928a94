import * as z from "zod";
import type { MediaType } from "../../channels/content.ts";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { cleanFilename } from "./media.filenames.ts";
import { isBeingDeleted, isVisible } from "./media-states.sql.ts";
import { type MediaRecord, mediaRecord, type MediaSource } from "./media.schemas.ts";

export interface PendingMedia {
  id: string;
  source: MediaSource;
  /** The kind of message that it has to fit: null for what came in, and what is fetched for no message. */
  messageType: MediaType | null;
  /** As was announced. */
  mimeType: string | null;
  filename: string | null;
}

/** Adds a file that is to be fetched, where `guard` holds. `enqueueMediaFetch` has it fetched once the batch has committed. */
export const insertPendingMedia = (
  ctx: Ctx,
  { id, source, messageType, mimeType, filename }: PendingMedia,
  guard: SQL,
): SQL => sql`
  INSERT INTO media (id, workspace_id, status, mime_type, filename, message_type, source, fetch_at, created_at)
  SELECT ${id}, ${ctx.workspace.id}, 'pending', ${mimeType}, ${cleanFilename(filename)}, ${messageType},
    ${JSON.stringify(source)}, ${ctx.now()}, ${ctx.now()} WHERE ${guard}`;

/** The columns of `mediaRecord`. */
const recordColumns = sql.raw(Object.keys(mediaRecord.shape).join(", "));

export const isOwnMedia = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const isShown = isVisible(sql`media`);

/** The workspace's file of this id, or none. */
export const selectMedia = (ctx: Ctx, id: string): Statement<MediaRecord> =>
  statement(mediaRecord, sql`SELECT ${recordColumns} FROM media WHERE ${isOwnMedia(ctx, id)} AND ${isShown}`);

const recordJson = sql.raw(
  `json_object(${Object.keys(mediaRecord.shape)
    .map((column) => `'${column}', ${column}`)
    .join(", ")})`,
);

/** One row with the file as JSON in `result`, or none. */
export const mediaAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${recordJson} AS result FROM media WHERE ${isOwnMedia(ctx, id)} AND ${isShown}`;

/** Newest first, one row beyond `limit`. */
export const selectMediaList = (ctx: Ctx, limit: number, before: string | undefined): Statement<MediaRecord> =>
  statement(
    mediaRecord,
    sql`
      SELECT ${recordColumns} FROM media INDEXED BY media_by_workspace
      WHERE workspace_id = ${ctx.workspace.id} AND ${isShown} ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );

const placedMedia = mediaRecord.extend({ workspace_id: z.string() });

/** The file of this id in one of several workspaces of a shard, or none. */
export const selectMediaAmong = (workspaceIds: readonly string[], id: string): Statement<z.infer<typeof placedMedia>> =>
  statement(
    placedMedia,
    sql`
      SELECT ${recordColumns}, workspace_id FROM media
      WHERE id = ${id} AND workspace_id IN (SELECT e.value FROM json_each(${JSON.stringify(workspaceIds)}) e) AND ${isShown}`,
  );

/** Takes the file away from everyone; the sweep, or who asked for it, deletes bytes and row. */
export const markMediaDeleted = (ctx: Ctx, id: string, guard: SQL): SQL => sql`
  UPDATE media SET status = 'expired', fetch_at = NULL, expires_at = ${ctx.now()}
  WHERE ${isOwnMedia(ctx, id)} AND ${isShown} AND ${guard}`;

/** The rows of files whose bytes are gone. */
export const deleteMarkedMedia = (ctx: Ctx, id: string): SQL => sql`
  DELETE FROM media WHERE ${isOwnMedia(ctx, id)} AND ${isBeingDeleted(sql`media`)}`;

/** A file at the provider of a connection. */
export interface UploadKey {
  connectionId: string;
  sha256: string;
  mimeType: string;
}

const uploadRow = z.object({ provider_media_id: z.string() });

/** The id that the provider of a connection gave a file, while it holds. */
export const selectMediaUpload = (
  ctx: Ctx,
  connectionId: string,
  { sha256, mimeType }: Omit<UploadKey, "connectionId">,
): Statement<z.infer<typeof uploadRow>> =>
  statement(
    uploadRow,
    sql`
      SELECT provider_media_id FROM media_uploads
      WHERE connection_id = ${connectionId} AND sha256 = ${sha256} AND mime_type = ${mimeType}
        AND workspace_id = ${ctx.workspace.id} AND lapses_at > ${ctx.now()} AND provider_media_id <> ''`,
  );

/** Keeps the id that holds longest. */
export const upsertMediaUpload = (
  ctx: Ctx,
  {
    connectionId,
    sha256,
    mimeType,
    providerMediaId,
    lapsesAt,
  }: UploadKey & { providerMediaId: string; lapsesAt: number },
): SQL => sql`
  INSERT INTO media_uploads (connection_id, sha256, mime_type, workspace_id, provider_media_id, lapses_at)
  VALUES (${connectionId}, ${sha256}, ${mimeType}, ${ctx.workspace.id}, ${providerMediaId}, ${lapsesAt})
  ON CONFLICT (connection_id, sha256, mime_type) DO UPDATE
  SET provider_media_id = excluded.provider_media_id, lapses_at = excluded.lapses_at
  WHERE excluded.lapses_at > media_uploads.lapses_at AND media_uploads.workspace_id = excluded.workspace_id`;
