import { sql } from "drizzle-orm";
import { fetchRows, transact, type Statement, statement } from "../../db/statement.ts";
import { type Ctx, withStoppedClock } from "../../shared/context.ts";
import { invalid } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { faultOfUrl } from "../../shared/network/upstream.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { cleanFilename, mediaKey } from "./media.names.ts";
import { type MediaRecord, mediaRecord } from "./media.schemas.ts";
import { deleteMarkedMedia, insertPendingMedia, markMediaDeleted, selectMedia, selectMediaList } from "./media.sql.ts";
import { enqueueMediaFetch } from "./store/queue-media.ts";
import { columns } from "../../db/columns.ts";
import { media } from "../../db/schema/index.ts";
import { isVisible } from "./media-states.sql.ts";

const KIND = "file";

export const listMedia = (ctx: Ctx, limit: number, before?: string): Promise<MediaRecord[]> =>
  fetchRows(ctx.db, selectMediaList(ctx, limit, before));

export const requireMedia = async (ctx: Ctx, id: string): Promise<MediaRecord> =>
  requireRow(await fetchRows(ctx.db, selectMedia(ctx, id)), KIND);

export async function fetchMediaFrom(
  ctx: Ctx,
  { url, filename }: { url: string; filename: string | null },
): Promise<MediaRecord> {
  const fault = faultOfUrl(url, ctx.allowPrivateUpstreams);
  if (fault !== null) throw invalid({ path: "url", code: "invalid_url", message: fault });
  const at = withStoppedClock(ctx);
  const id = ctx.newId("med");
  const file = { id, source: { url }, messageType: null, mimeType: null, filename: cleanFilename(filename) };
  const answer: MediaRecord = {
    id,
    mime_type: null,
    bytes: null,
    sha256: null,
    filename: file.filename,
    status: "pending",
    reason: null,
    created_at: at.now(),
  };
  return decideAndCommit(at, {
    shape: mediaRecord,
    reads: {},
    expectsNothing: true,
    decide: () => ({
      writes: [insertPendingMedia(at, file, sql`TRUE`)],
      events: [],
      answer,
      followUp: () => enqueueMediaFetch(ctx, [{ mediaId: id }]),
    }),
  });
}

/** Marks the row first, so that the row still exists if the bytes cannot be deleted now. */
export async function deleteMedia(ctx: Ctx, id: string): Promise<MediaRecord> {
  const record = await changeRecord(ctx, {
    kind: KIND,
    shape: mediaRecord,
    record: selectMedia(ctx, id),
    decide: (file) => ({ writes: [markMediaDeleted(ctx, id)], events: [], answer: file }),
  });
  try {
    await ctx.bucket.delete(mediaKey(ctx.workspace.id, id));
    ctx.waitUntil(transact(ctx.db, { forget: deleteMarkedMedia(ctx, id) }));
  } catch (error) {
    // The API already hides the file, and the sweep will delete the bytes.
    log.error("media_not_deleted", { requestId: ctx.requestId, mediaId: id, error });
  }
  return record;
}

const m = columns(media, "m");

const mediaColumns = sql.join(
  Object.keys(mediaRecord.shape).map((name) => sql`m.${sql.identifier(name)}`),
  sql`, `,
);

const selectMediaByIds = (ctx: Ctx, ids: readonly string[]): Statement<MediaRecord> =>
  statement(
    mediaRecord,
    sql`
      SELECT ${mediaColumns} FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN media m ON ${m.id} = j.value
      WHERE ${m.workspaceId} = ${ctx.workspace.id} AND ${isVisible(m)}`,
  );

export async function findMediaFiles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, MediaRecord>> {
  const wanted = [...new Set(ids)];
  const records = wanted.length === 0 ? [] : await fetchRows(ctx.db, selectMediaByIds(ctx, wanted));
  return new Map(records.map((record) => [record.id, record]));
}
