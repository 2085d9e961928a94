import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectMediaByIds } from "./find-media.sql.ts";
import type { MediaRecord } from "./media.schemas.ts";

/** The workspace's files of these ids, by id; ids of none are left out. Asks nothing where there are no ids. */
export async function findMediaFiles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, MediaRecord>> {
  const wanted = [...new Set(ids)];
  const records = wanted.length === 0 ? [] : await fetchRows(ctx.db, selectMediaByIds(ctx, wanted));
  return new Map(records.map((record) => [record.id, record]));
}
