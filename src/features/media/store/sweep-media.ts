import { fetchRows, transact } from "../../../db/statement.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { mediaKey } from "../media.keys.ts";
import type { FetchMediaJob } from "./queue-media.ts";
import {
  deleteLapsedUploads,
  deleteMediaRows,
  markExpired,
  selectDueFetches,
  selectExpiredMedia,
  selectWorkspacesByIds,
} from "./sweep-media.sql.ts";

/** Longer than the queue takes to deliver a message. */
const GRACE_MS = MINUTE_MS;
const MAX_FETCHES = 1000;
/** R2's limit for one delete call. */
const MAX_EXPIRED = 1000;

/** Queues the pending files of a shard whose queue message was lost. */
export async function sweepMediaFetches(base: BaseCtx, shard: number): Promise<void> {
  const due = await fetchRows(base.shard(shard), selectDueFetches(base.now() - GRACE_MS, MAX_FETCHES));
  if (due.length === 0) return;
  const ids = [...new Set(due.map(({ workspace_id }) => workspace_id))];
  const workspaces = new Map(
    (await fetchRows(base.control, selectWorkspacesByIds(base.control, ids))).map((row) => [row.id, row]),
  );
  const jobs = due.flatMap(({ id, workspace_id }): FetchMediaJob[] => {
    const workspace = workspaces.get(workspace_id);
    return workspace === undefined ? [] : [{ v: 1, workspace, mediaId: id, thread: null }];
  });
  await base.queues.media(jobs);
}

/** Deletes the bytes of expired, deleted and unfinished files. Bytes are deleted before rows, so a run that dies is repeated. */
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
