import { and, eq, lte, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { isOneOf } from "../../../db/idioms.ts";
import { media, mediaUploads, workspaces } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";

const dueFetch = z.object({ id: z.string(), workspace_id: z.string() });

/** Files whose fetch was due before `dueBefore`. Raw for INDEXED BY. */
export const selectDueFetches = (dueBefore: number, limit: number): Statement<z.infer<typeof dueFetch>> =>
  statement(
    dueFetch,
    sql`
      SELECT id, workspace_id FROM media INDEXED BY media_to_fetch
      WHERE fetch_at <= ${dueBefore} ORDER BY fetch_at LIMIT ${limit}`,
  );

/** In the control database. */
export const selectWorkspacesByIds = (control: Database, ids: readonly string[]) =>
  control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(workspaces)
    .where(isOneOf(workspaces.id, ids));

const expiredMedia = z.object({ id: z.string(), workspace_id: z.string(), status: z.string() });

export type ExpiredMedia = z.infer<typeof expiredMedia>;

/** Expired files, deleted files and remains of uploads. Raw for INDEXED BY. */
export const selectExpiredMedia = (now: number, limit: number): Statement<ExpiredMedia> =>
  statement(
    expiredMedia,
    sql`
      SELECT id, workspace_id, status FROM media INDEXED BY media_to_expire
      WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`,
  );

const isAmong = (rows: readonly ExpiredMedia[]) =>
  isOneOf(
    media.id,
    rows.map(({ id }) => id),
  );

/** Marks files as expired whose bytes are deleted. */
export const markExpired = (db: Database, rows: readonly ExpiredMedia[]) =>
  db
    .update(media)
    .set({ status: "expired", expiresAt: null })
    .where(and(isAmong(rows), eq(media.status, "stored")));

export const deleteMediaRows = (db: Database, rows: readonly ExpiredMedia[]) =>
  db.delete(media).where(and(isAmong(rows), ne(media.status, "stored")));

export const deleteLapsedUploads = (db: Database, { now }: Pick<BaseCtx, "now">): Promise<void> =>
  deleteInChunks(db, mediaUploads, lte(mediaUploads.lapsesAt, now()));
