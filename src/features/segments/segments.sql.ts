import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { segments } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { segmentRecord } from "./segments.schemas.ts";
import type { StoredFilter } from "./segments.stored.ts";

/** A segment `s` as JSON, for `segmentRecord`. */
const segmentJson = (ctx: Ctx): SQL => sql`json_object(
  'id', s.id, 'name', s.name, 'filter', json(s.filter),
  'tags', json((SELECT json_group_array(json_object('number', t.number, 'name', t.name))
    FROM json_each(s.filter, '$.tags') e CROSS JOIN tags t
    ON t.workspace_id = ${ctx.workspace.id} AND t.number = e.value ->> 'number' AND t.deleted_at IS NULL)),
  'fields', json((SELECT json_group_array(json_object('number', f.number, 'key', f.field_key, 'type', f.type,
      'options', json(f.options), 'removed', json(f.removed_options))) FROM json_each(s.filter, '$.fields') e CROSS JOIN custom_fields f
    ON f.workspace_id = ${ctx.workspace.id} AND f.number = e.value ->> 'number' AND f.deleted_at IS NULL)),
  'created_at', s.created_at, 'updated_at', s.updated_at)`;

export const segmentRow = z.object({ result: fromJson(segmentRecord) });
export type SegmentRow = z.infer<typeof segmentRow>;

/** Newest first, one row beyond `limit`. */
export const selectSegments = (ctx: Ctx, limit: number, before: string | undefined): Statement<SegmentRow> =>
  statement(
    segmentRow,
    sql`
      SELECT ${segmentJson(ctx)} AS result FROM segments s
      WHERE s.workspace_id = ${ctx.workspace.id} ${before === undefined ? sql`` : sql`AND s.id < ${before}`}
      ORDER BY s.id DESC LIMIT ${limit + 1}`,
  );

/** One row with the segment as JSON in `result`, or none. */
export const segmentAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${segmentJson(ctx)} AS result FROM segments s WHERE s.id = ${id} AND s.workspace_id = ${ctx.workspace.id}`;

export const insertSegment = (ctx: Ctx, id: string, name: string, filter: StoredFilter, guard: SQL): SQL => sql`
  INSERT INTO segments (id, workspace_id, name, filter, created_at, updated_at)
  SELECT ${id}, ${ctx.workspace.id}, ${name}, ${JSON.stringify(filter)}, ${ctx.now()}, ${ctx.now()} WHERE ${guard}`;

const isSegment = (ctx: Ctx, id: string, guard: SQL) =>
  and(eq(segments.id, id), eq(segments.workspaceId, ctx.workspace.id), guard);

/** Changes what is not undefined. */
export const updateSegmentRow = (
  ctx: Ctx,
  id: string,
  { name, filter }: { name: string | undefined; filter: StoredFilter | undefined },
  guard: SQL,
): SQL =>
  ctx.db
    .update(segments)
    .set({ name, filter, updatedAt: ctx.now() })
    .where(isSegment(ctx, id, guard))
    .getSQL();

export const deleteSegmentRow = (ctx: Ctx, id: string, guard: SQL): SQL =>
  ctx.db
    .delete(segments)
    .where(isSegment(ctx, id, guard))
    .getSQL();

/** One row with `result` where the statement before it changed a row, or none. */
export const ifChanged = (result: string): SQL => sql`SELECT ${result} AS result WHERE changes() > 0`;
