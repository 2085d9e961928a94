import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf } from "../../db/columns.ts";
import { campaigns, customFields, segments, tags, templates } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isUnfinished } from "./campaigns.sql.ts";

const p = columns(campaigns, "p");
const s = columns(segments, "s");
const t = columns(templates, "t");
const tag = columns(tags);
const field = columns(customFields);

/** The most names per kind, for a person to read before a deletion. */
const MAX_NAMES = 20;

const named = z.object({ id: z.string(), name: z.string() });

type NamedRow = z.infer<typeof named>;

/** True in SQL for a stored filter that uses a tag or custom field. Filters list their numbers. */
const namesNumber = (filter: SQL, list: "tags" | "fields", number: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${filter}, ${`$.${list}`}) e WHERE e.value ->> 'number' = ${number})`;

const selectSegmentNames = (ctx: Ctx, condition: SQL): Statement<NamedRow> =>
  statement(
    named,
    sql`
      SELECT ${s.id} AS id, ${s.name} AS name FROM segments s
      WHERE ${s.workspaceId} = ${ctx.workspace.id} AND ${condition} ORDER BY ${s.id} DESC LIMIT ${MAX_NAMES}`,
  );

const selectUnfinishedNames = (ctx: Ctx, condition: SQL): Statement<NamedRow> =>
  statement(
    named,
    sql`
      SELECT ${p.id} AS id, ${p.name} AS name FROM campaigns p
      WHERE ${p.workspaceId} = ${ctx.workspace.id} AND ${isUnfinished} AND ${condition} ORDER BY ${p.id} DESC LIMIT ${MAX_NAMES}`,
  );

/** Segments and unfinished campaigns whose filter uses a tag or custom field, directly or through a segment. */
function selectFilterUses(ctx: Ctx, list: "tags" | "fields", number: SQL) {
  const inSegment = namesNumber(s.filter, list, number);
  const bySegment = sql`EXISTS (SELECT 1 FROM segments s WHERE ${s.id} = ${p.audience} ->> 'segmentId' AND ${s.workspaceId} = ${p.workspaceId} AND ${inSegment})`;
  const byOwnFilter = namesNumber(sql`(${p.audience} -> 'filter')`, list, number);
  return {
    segments: selectSegmentNames(ctx, inSegment),
    campaigns: selectUnfinishedNames(ctx, sql`(${byOwnFilter} OR ${bySegment})`),
  };
}

const isOwn = (ctx: Ctx, id: string, row: ColumnsOf<typeof tags, "id" | "workspaceId">): SQL =>
  sql`${row.id} = ${id} AND ${row.workspaceId} = ${ctx.workspace.id}`;

export const selectTagUses = (ctx: Ctx, id: string) => ({
  tag: ctx.db
    .select({ name: tags.name })
    .from(tags)
    .where(and(eq(tags.id, id), eq(tags.workspaceId, ctx.workspace.id), isNull(tags.deletedAt))),
  ...selectFilterUses(ctx, "tags", sql`(SELECT ${tag.number} FROM tags WHERE ${isOwn(ctx, id, tag)})`),
});

export const selectCustomFieldUses = (ctx: Ctx, id: string) => ({
  field: ctx.db
    .select({ name: customFields.label, key: customFields.fieldKey })
    .from(customFields)
    .where(
      and(eq(customFields.id, id), eq(customFields.workspaceId, ctx.workspace.id), isNull(customFields.deletedAt)),
    ),
  ...selectFilterUses(ctx, "fields", sql`(SELECT ${field.number} FROM custom_fields WHERE ${isOwn(ctx, id, field)})`),
  templates: statement(
    named,
    sql`
      SELECT ${t.id} AS id, ${t.name} AS name FROM templates t WHERE ${t.workspaceId} = ${ctx.workspace.id}
        AND EXISTS (SELECT 1 FROM json_each(${t.variables}) v
          WHERE v.value = (SELECT ${field.fieldKey} FROM custom_fields WHERE ${isOwn(ctx, id, field)}))
      ORDER BY ${t.id} DESC LIMIT ${MAX_NAMES}`,
  ),
});

export const selectTemplateUses = (ctx: Ctx, id: string) => ({
  template: ctx.db
    .select({ name: templates.name })
    .from(templates)
    .where(and(eq(templates.id, id), eq(templates.workspaceId, ctx.workspace.id))),
  campaigns: selectUnfinishedNames(ctx, sql`${p.templateId} = ${id}`),
});
