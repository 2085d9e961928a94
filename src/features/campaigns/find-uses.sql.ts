import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

/** As many names as a person reads before deleting. */
const SHOWN = 20;

const isUnfinished = sql`p.status IN ('scheduled', 'running', 'paused')`;

/** Filters, as they are stored, name the tags and custom fields they ask for by number. */
const asksFor = (filter: SQL, list: "tags" | "fields", number: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${filter}, ${`$.${list}`}) e WHERE e.value ->> 'number' = ${number})`;

const segmentsThat = (ctx: Ctx, condition: SQL): SQL => sql`
  SELECT s.id AS id, s.name AS name FROM segments s
  WHERE s.workspace_id = ${ctx.workspace.id} AND ${condition} ORDER BY s.id DESC LIMIT ${SHOWN}`;

const campaignsThat = (ctx: Ctx, condition: SQL): SQL => sql`
  SELECT p.id AS id, p.name AS name FROM campaigns p
  WHERE p.workspace_id = ${ctx.workspace.id} AND ${isUnfinished} AND ${condition} ORDER BY p.id DESC LIMIT ${SHOWN}`;

/** Segments, and unfinished campaigns by their own filter or a segment's, that ask for a tag or custom field. */
function askersOf(ctx: Ctx, list: "tags" | "fields", number: SQL): [SQL, SQL] {
  const inSegment = asksFor(sql`s.filter`, list, number);
  const bySegment = sql`EXISTS (SELECT 1 FROM segments s WHERE s.id = p.audience ->> 'segmentId' AND s.workspace_id = p.workspace_id AND ${inSegment})`;
  const own = asksFor(sql`(p.audience -> 'filter')`, list, number);
  return [segmentsThat(ctx, inSegment), campaignsThat(ctx, sql`(${own} OR ${bySegment})`)];
}

const ofWorkspace = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

export const usesOfTag = (ctx: Ctx, id: string) =>
  batch(ctx.db, [
    sql`SELECT name FROM tags WHERE ${ofWorkspace(ctx, id)} AND deleted_at IS NULL`,
    ...askersOf(ctx, "tags", sql`(SELECT number FROM tags WHERE ${ofWorkspace(ctx, id)})`),
  ]);

export const usesOfCustomField = (ctx: Ctx, id: string) =>
  batch(ctx.db, [
    sql`SELECT label AS name, field_key AS "key" FROM custom_fields WHERE ${ofWorkspace(ctx, id)} AND deleted_at IS NULL`,
    ...askersOf(ctx, "fields", sql`(SELECT number FROM custom_fields WHERE ${ofWorkspace(ctx, id)})`),
    sql`
      SELECT t.id AS id, t.name AS name FROM templates t WHERE t.workspace_id = ${ctx.workspace.id}
        AND EXISTS (SELECT 1 FROM json_each(t.variables) v
          WHERE v.value = (SELECT field_key FROM custom_fields WHERE ${ofWorkspace(ctx, id)}))
      ORDER BY t.id DESC LIMIT ${SHOWN}`,
  ]);

export const usesOfTemplate = (ctx: Ctx, id: string) =>
  batch(ctx.db, [
    sql`SELECT name FROM templates WHERE ${ofWorkspace(ctx, id)}`,
    campaignsThat(ctx, sql`p.template_id = ${id}`),
  ]);
