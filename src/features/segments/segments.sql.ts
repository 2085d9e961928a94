import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { campaigns, customFields, segments, tags as tagTable } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { segmentRecord } from "./segments.schemas.ts";

const f = columns(customFields, "f");
const s = columns(segments, "s");
const t = columns(tagTable, "t");

const { shape } = segmentRecord;

const segmentRow = segmentRecord.extend({
  filter: fromJson(shape.filter),
  tags: fromJson(shape.tags),
  fields: fromJson(shape.fields),
  revision: z.number(),
});

export type SegmentRow = z.infer<typeof segmentRow>;

// Raw SQL, because its CROSS JOIN makes SQLite start with the filter and look up only the tags and fields in it.

const remaining = ({ workspace }: Ctx) => ({
  tags: sql`(SELECT json_group_array(json_object('number', ${t.number}, 'name', ${t.name}))
    FROM json_each(${s.filter}, '$.tags') e CROSS JOIN tags t
    ON ${t.workspaceId} = ${workspace.id} AND ${t.number} = e.value ->> 'number' AND ${t.deletedAt} IS NULL)`,
  fields: sql`(SELECT json_group_array(json_object('number', ${f.number}, 'key', ${f.fieldKey}, 'type', ${f.type},
      'options', json(${f.options}), 'removed', json(${f.removedOptions})))
    FROM json_each(${s.filter}, '$.fields') e CROSS JOIN custom_fields f
    ON ${f.workspaceId} = ${workspace.id} AND ${f.number} = e.value ->> 'number' AND ${f.deletedAt} IS NULL)`,
});

function selectWhere(ctx: Ctx, condition: SQL) {
  const { tags, fields } = remaining(ctx);
  return statement(
    segmentRow,
    sql`
      SELECT ${s.id} AS id, ${s.name} AS name, ${s.filter} AS filter, ${tags} AS tags, ${fields} AS fields, ${s.createdAt} AS created_at,
        ${s.updatedAt} AS updated_at, ${s.revision} AS revision
      FROM segments s WHERE ${s.workspaceId} = ${ctx.workspace.id} AND ${condition}`,
  );
}

export const selectSegment = (ctx: Ctx, id: string) => selectWhere(ctx, sql`${s.id} = ${id}`);

export const selectSegments = (ctx: Ctx, limit: number, before: string | undefined) =>
  selectWhere(
    ctx,
    sql`${before === undefined ? sql`TRUE` : sql`${s.id} < ${before}`} ORDER BY ${s.id} DESC LIMIT ${limit + 1}`,
  );

export function segmentAsJson(ctx: Ctx, id: SQL): SQL {
  const { tags, fields } = remaining(ctx);
  return sql`
    SELECT json_object('id', ${s.id}, 'name', ${s.name}, 'filter', json(${s.filter}), 'tags', json(${tags}), 'fields', json(${fields}),
      'created_at', ${s.createdAt}, 'updated_at', ${s.updatedAt}, 'revision', ${s.revision}) AS result
    FROM segments s WHERE ${s.id} = ${id} AND ${s.workspaceId} = ${ctx.workspace.id}`;
}

/**
 * Only a scheduled campaign still needs the segment: running campaigns have their audience, and drafts are checked at
 * their start.
 */
export const selectScheduledCampaign = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.workspaceId, ctx.workspace.id),
        eq(campaigns.status, "scheduled"),
        eq(sql`${campaigns.audience} ->> 'segmentId'`, id),
      ),
    )
    .limit(1);

export const insertSegment = (ctx: Ctx, row: Omit<typeof segments.$inferInsert, "workspaceId">) =>
  ctx.db.insert(segments).values({ ...row, workspaceId: ctx.workspace.id });

const isSegment = (ctx: Ctx, id: string) => and(eq(segments.id, id), eq(segments.workspaceId, ctx.workspace.id));

export const updateSegmentRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof segments>) =>
  ctx.db.update(segments).set(row).where(isSegment(ctx, id));

export const deleteSegmentRow = (ctx: Ctx, id: string) => ctx.db.delete(segments).where(isSegment(ctx, id));
