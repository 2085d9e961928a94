import { lte, sql } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { mediaUploads } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { BaseCtx, Database } from "../../shared/context.ts";

const dueFetch = z.object({ id: z.string(), workspace_id: z.string() });

/** Files that have been due to be fetched since before `dueBefore`. */
export const selectDueFetches = (dueBefore: number, limit: number): Statement<z.infer<typeof dueFetch>> =>
  statement(
    dueFetch,
    sql`
      SELECT id, workspace_id FROM media INDEXED BY media_to_fetch
      WHERE fetch_at <= ${dueBefore} ORDER BY fetch_at LIMIT ${limit}`,
  );

const workspaceRow = z.object({ id: z.string(), number: z.number(), shard: z.number() });

/** Of the control database. */
export const selectWorkspacesByIds = (ids: readonly string[]): Statement<z.infer<typeof workspaceRow>> =>
  statement(
    workspaceRow,
    sql`
      SELECT w.id, w.number, w.shard FROM json_each(${JSON.stringify(ids)}) e CROSS JOIN workspaces w ON w.id = e.value`,
  );

const expiredMedia = z.object({ id: z.string(), workspace_id: z.string(), status: z.string() });

export type ExpiredMedia = z.infer<typeof expiredMedia>;

/** Files whose time has come: to expire, to be forgotten, or left behind by an upload. */
export const selectExpiredMedia = (now: number, limit: number): Statement<ExpiredMedia> =>
  statement(
    expiredMedia,
    sql`
      SELECT id, workspace_id, status FROM media INDEXED BY media_to_expire
      WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`,
  );

const idsOf = (rows: readonly ExpiredMedia[]): SQL =>
  sql`(SELECT e.value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}) e)`;

/** Files whose bytes are deleted. */
export const markExpired = (rows: readonly ExpiredMedia[]): SQL =>
  sql`UPDATE media SET status = 'expired', expires_at = NULL WHERE id IN ${idsOf(rows)} AND status = 'stored'`;

export const deleteMediaRows = (rows: readonly ExpiredMedia[]): SQL =>
  sql`DELETE FROM media WHERE id IN ${idsOf(rows)} AND status <> 'stored'`;

export const deleteLapsedUploads = (db: Database, { now }: Pick<BaseCtx, "now">): Promise<void> =>
  deleteInChunks(db, mediaUploads, lte(mediaUploads.lapsesAt, now()));
