import { sql } from "drizzle-orm";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isVisible } from "./media-states.sql.ts";
import { type MediaRecord, mediaRecord } from "./media.schemas.ts";

const columns = sql.join(
  Object.keys(mediaRecord.shape).map((name) => sql`m.${sql.identifier(name)}`),
  sql`, `,
);

/** The workspace's files of these ids. */
export const selectMediaByIds = (ctx: Ctx, ids: readonly string[]): Statement<MediaRecord> =>
  statement(
    mediaRecord,
    sql`
      SELECT ${columns} FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN media m ON m.id = j.value
      WHERE m.workspace_id = ${ctx.workspace.id} AND ${isVisible(sql`m`)}`,
  );
