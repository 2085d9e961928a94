import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { media } from "../../../db/schema/index.ts";
import { type Statement, fetchRows, statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isVisible } from "../media-states.sql.ts";
import { type MediaRecord, mediaRecord } from "../media.schemas.ts";

const m = columns(media, "m");

const mediaColumns = sql.join(
  Object.keys(mediaRecord.shape).map((name) => sql`m.${sql.identifier(name)}`),
  sql`, `,
);

/** The workspace's files with these ids. */
const selectMediaByIds = (ctx: Ctx, ids: readonly string[]): Statement<MediaRecord> =>
  statement(
    mediaRecord,
    sql`
      SELECT ${mediaColumns} FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN media m ON ${m.id} = j.value
      WHERE ${m.workspaceId} = ${ctx.workspace.id} AND ${isVisible(m)}`,
  );

/** The workspace's files by id, without unknown ids. No query if there are no ids. */
export async function findMediaFiles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, MediaRecord>> {
  const wanted = [...new Set(ids)];
  const records = wanted.length === 0 ? [] : await fetchRows(ctx.db, selectMediaByIds(ctx, wanted));
  return new Map(records.map((record) => [record.id, record]));
}
