import { sql } from "../../db/sql.ts";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { appendEvents, changeEvents, changedFields, event } from "../events/append-events.sql.ts";
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
  'created_at', s.created_at, 'updated_at', s.updated_at, 'revision', s.revision)`;

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
export const segmentAsJson = (ctx: Ctx, id: string | SQL, condition = sql`TRUE`): SQL =>
  sql`SELECT ${segmentJson(ctx)} AS result FROM segments s WHERE s.id = ${id} AND s.workspace_id = ${ctx.workspace.id} AND ${condition}`;

/** A campaign that is to send to the segment at its time. One that runs has its audience already, and a draft is checked when it starts. */
const scheduledCampaign = (ctx: Ctx, id: string): SQL => sql`
  SELECT id FROM campaigns
  WHERE workspace_id = ${ctx.workspace.id} AND status = 'scheduled' AND audience ->> 'segmentId' = ${id} LIMIT 1`;

const campaignRow = z.object({ id: z.string() });

export const selectScheduledCampaign = (ctx: Ctx, id: string): Statement<z.infer<typeof campaignRow>> =>
  statement(campaignRow, scheduledCampaign(ctx, id));

/** True in SQL where no campaign would fail for lack of the segment. */
export const isDeletable = (ctx: Ctx, id: string): SQL => sql`NOT EXISTS (${scheduledCampaign(ctx, id)})`;

/** The revision of a segment; no row where there is none. */
export const segmentRevision = (ctx: Ctx, id: string): SQL =>
  sql`SELECT revision FROM segments WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;

export const insertSegment = (ctx: Ctx, id: string, name: string, filter: StoredFilter, guard: SQL): SQL[] => {
  const changes = changedFields({
    name: [sql`NULL`, sql`${name}`],
    filter: [sql`NULL`, sql`json(${JSON.stringify(filter)})`],
  });
  return [
    appendEvents(ctx, sql`SELECT ${event("segment.created", id, changes)} WHERE ${guard}`),
    sql`
      INSERT INTO segments (id, workspace_id, name, filter, created_at, updated_at)
      SELECT ${id}, ${ctx.workspace.id}, ${name}, ${JSON.stringify(filter)}, ${ctx.now()}, ${ctx.now()} WHERE ${guard}`,
  ];
};

const isSegment = (ctx: Ctx, id: string, guard: SQL): SQL =>
  sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND ${guard}`;

/** Changes what is not undefined. */
export const updateSegmentRow = (
  ctx: Ctx,
  id: string,
  { name, filter }: { name: string | undefined; filter: StoredFilter | undefined },
  guard: SQL,
): SQL[] => {
  const newName = sql`coalesce(${name ?? null}, name)`;
  const newFilter = sql`coalesce(${filter === undefined ? null : JSON.stringify(filter)}, filter)`;
  // The log keeps filters in their stored form, which readers present.
  const fields = { name: [sql`name`, newName], filter: [sql`json(filter)`, sql`json(${newFilter})`] } as const;
  const from = sql`FROM segments WHERE ${isSegment(ctx, id, guard)}`;
  return [
    appendEvents(ctx, changeEvents("segment.updated", { objectId: sql`id`, fields, from })),
    sql`
      UPDATE segments SET name = ${newName}, filter = ${newFilter}, updated_at = ${ctx.now()},
        revision = revision + ((name, filter) IS NOT (${newName}, ${newFilter}))
      WHERE ${isSegment(ctx, id, guard)}`,
  ];
};

export const deleteSegmentRow = (ctx: Ctx, id: string, guard: SQL): SQL[] => {
  const condition = sql`${isSegment(ctx, id, guard)} AND ${isDeletable(ctx, id)}`;
  return [
    appendEvents(ctx, sql`SELECT ${event("segment.deleted", sql`id`)} FROM segments WHERE ${condition}`),
    sql`DELETE FROM segments WHERE ${condition}`,
  ];
};
