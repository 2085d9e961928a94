import { and, eq, lte, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { isOneOf } from "../../../db/idioms.ts";
import { media, mediaUploads, workspaces } from "../../../db/schema/index.ts";
import { statement, type Statement, fetchRows, transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { mediaKey } from "../media.names.ts";
import type { FetchMediaJob } from "./queue-media.ts";

const m = columns(media);

const dueFetch = z.object({ id: z.string(), workspace_id: z.string() });

const selectDueFetches = (dueBefore: number, limit: number): Statement<z.infer<typeof dueFetch>> =>
  statement(
    dueFetch,
    sql`
      SELECT ${m.id}, ${m.workspaceId} FROM media INDEXED BY media_to_fetch
      WHERE ${m.fetchAt} <= ${dueBefore} ORDER BY ${m.fetchAt} LIMIT ${limit}`,
  );

const selectWorkspacesByIds = (control: Database, ids: readonly string[]) =>
  control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(workspaces)
    .where(isOneOf(workspaces.id, ids));

const expiredMedia = z.object({ id: z.string(), workspace_id: z.string(), status: z.string() });

type ExpiredMedia = z.infer<typeof expiredMedia>;

const selectExpiredMedia = (now: number, limit: number): Statement<ExpiredMedia> =>
  statement(
    expiredMedia,
    sql`
      SELECT ${m.id}, ${m.workspaceId}, ${m.status} FROM media INDEXED BY media_to_expire
      WHERE ${m.expiresAt} <= ${now} ORDER BY ${m.expiresAt} LIMIT ${limit}`,
  );

const isAmong = (rows: readonly ExpiredMedia[]) =>
  isOneOf(
    media.id,
    rows.map(({ id }) => id),
  );

const markExpired = (db: Database, rows: readonly ExpiredMedia[]) =>
  db
    .update(media)
    .set({ status: "expired", expiresAt: null })
    .where(and(isAmong(rows), eq(media.status, "stored")));

const deleteMediaRows = (db: Database, rows: readonly ExpiredMedia[]) =>
  db.delete(media).where(and(isAmong(rows), ne(media.status, "stored")));

const deleteLapsedUploads = (db: Database, { now }: Pick<BaseCtx, "now">): Promise<void> =>
  deleteInChunks(db, mediaUploads, lte(mediaUploads.lapsesAt, now()));

/** Longer than the queue takes to deliver a job, so the sweep finds only files whose job was lost. */
const GRACE_MS = MINUTE_MS;
const MAX_FETCHES = 1000;
/** R2 deletes at most 1,000 objects per call. */
const MAX_EXPIRED = 1000;

export async function sweepMediaFetches(base: BaseCtx, shard: number): Promise<void> {
  const due = await fetchRows(base.shard(shard), selectDueFetches(base.now() - GRACE_MS, MAX_FETCHES));
  if (due.length === 0) return;
  const ids = [...new Set(due.map(({ workspace_id }) => workspace_id))];
  const workspacesById = new Map(
    (await fetchRows(base.control, selectWorkspacesByIds(base.control, ids))).map((row) => [row.id, row]),
  );
  const jobs = due.flatMap(({ id, workspace_id }): FetchMediaJob[] => {
    const workspace = workspacesById.get(workspace_id);
    return workspace === undefined ? [] : [{ v: 1, workspace, mediaId: id, thread: null }];
  });
  await base.queues.media(jobs);
}

/** Deletes the bytes before the rows: after a crash, the next run finds the remaining rows and continues. */
export async function expireMedia(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const rows = await fetchRows(db, selectExpiredMedia(base.now(), MAX_EXPIRED));
  if (rows.length > 0) {
    await base.bucket.delete(rows.map(({ workspace_id, id }) => mediaKey(workspace_id, id)));
    const { true: kept = [], false: forgotten = [] } = Object.groupBy(rows, ({ status }) => `${status === "stored"}`);
    await transact(db, { kept: markExpired(db, kept), forgotten: deleteMediaRows(db, forgotten) });
  }
  await deleteLapsedUploads(db, base);
}
