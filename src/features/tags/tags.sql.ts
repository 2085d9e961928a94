import * as z from "zod";
import { bool } from "../../db/rows.ts";
import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { appendEvents, changeEvents, changedFields, event, newFields } from "../events/append-events.sql.ts";
import { tagPalette } from "./tags.palette.ts";
import { type TagRecord, tagRecord } from "./tags.schemas.ts";

const inWorkspace = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id}`;
const isLive = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND ${inWorkspace(ctx)} AND deleted_at IS NULL`;

const listedTag = tagRecord.extend({ number: z.number() });

export type ListedTag = z.infer<typeof listedTag>;

/** Newest first, one row beyond `limit`. The index holds live tags only, so that deleted ones are not read. */
export const selectTags = (ctx: Ctx, limit: number, below: number | undefined): Statement<ListedTag> =>
  statement(
    listedTag,
    sql`
      SELECT number, id, name, color, created_at FROM tags INDEXED BY tags_live
      WHERE ${inWorkspace(ctx)} AND deleted_at IS NULL ${below === undefined ? sql`` : sql`AND number < ${below}`}
      ORDER BY number DESC LIMIT ${limit + 1}`,
  );

export interface NewTag {
  id: string;
  name: string;
  key: string;
  /** Null for one of the palette. */
  color: string | null;
}

const lastNumber = (ctx: Ctx): SQL => sql`(SELECT coalesce(max(number), 0) FROM tags WHERE ${inWorkspace(ctx)})`;

/** Adds those whose key no tag has yet, numbered in their order. */
export const insertMissingTags = (ctx: Ctx, rows: readonly NewTag[], guard: SQL): SQL[] =>
  jsonLists(rows).map(
    (json) => sql`
      INSERT INTO tags (workspace_id, number, id, name, name_key, color, created_at)
      SELECT ${ctx.workspace.id}, number, row ->> 'id', row ->> 'name', row ->> 'key',
        coalesce(row ->> 'color', ${JSON.stringify(tagPalette)} ->> CAST(number % ${tagPalette.length} AS INTEGER)), ${ctx.now()}
      FROM (
        SELECT ${lastNumber(ctx)} + row_number() OVER (ORDER BY e.key) AS number, e.value AS row
        FROM json_each(${json}) e WHERE ${guard} AND NOT EXISTS (
          SELECT 1 FROM tags t WHERE t.workspace_id = ${ctx.workspace.id} AND t.name_key = e.value ->> 'key' AND t.deleted_at IS NULL))
      WHERE TRUE ON CONFLICT DO NOTHING`,
  );

/** The events of new tags, for an append behind `insertMissingTags`; ids that were not added give none. */
export const tagCreatedEvents = (ctx: Ctx, ids: readonly string[]): SQL => sql`
  SELECT ${event("tag.created", sql`t.id`, changedFields(newFields(["name", "color"])))}
  FROM json_each(${JSON.stringify(ids)}) e CROSS JOIN tags t ON t.id = e.value AND t.workspace_id = ${ctx.workspace.id}`;

const tagByKey = z.object({
  number: z.number(),
  id: z.string(),
  name: z.string(),
  color: z.string(),
  name_key: z.string(),
});

// CROSS JOIN keeps the list outside: each of its items is then one look-up in an index.

/** The tags with these keys. */
export const selectTagsByKey = (ctx: Ctx, keys: readonly string[]): Statement<z.infer<typeof tagByKey>> =>
  statement(
    tagByKey,
    sql`
  SELECT t.number AS number, t.id AS id, t.name AS name, t.color AS color, t.name_key AS name_key
  FROM json_each(${JSON.stringify(keys)}) k
  CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.name_key = k.value AND t.deleted_at IS NULL`,
  );

const tagByNumber = z.object({ number: z.number(), name: z.string() });

/** Those of these tags that still exist. */
export const selectTagsByNumber = (ctx: Ctx, numbers: readonly number[]): Statement<z.infer<typeof tagByNumber>> =>
  statement(
    tagByNumber,
    sql`
  SELECT t.number AS number, t.name AS name FROM json_each(${JSON.stringify(numbers)}) n
  CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.number = n.value AND t.deleted_at IS NULL`,
  );

/** The other tag that has this key. */
const keyHolder = (ctx: Ctx, id: string | SQL, key: string): SQL =>
  sql`SELECT id FROM tags WHERE ${inWorkspace(ctx)} AND name_key = ${key} AND deleted_at IS NULL AND id <> ${id}`;

const tagObstacles = z.object({ exists: bool, name_holder_id: z.string().nullable() });

/** Explains a refused change: whether the tag exists, and which other tag has the key. */
export const selectTagObstacles = (ctx: Ctx, id: string, key: string | null): Statement<z.infer<typeof tagObstacles>> =>
  statement(
    tagObstacles,
    sql`
      SELECT EXISTS (SELECT 1 FROM tags WHERE ${isLive(ctx, id)}) AS "exists",
        (${keyHolder(ctx, id, key ?? "")}) AS name_holder_id`,
  );

const isKeyFree = (ctx: Ctx, id: string | SQL, key: string | null): SQL =>
  key === null ? sql`TRUE` : sql`NOT EXISTS (${keyHolder(ctx, id, key)})`;

export interface TagChange {
  name: string | null;
  key: string | null;
  color: string | null;
}

/** The values that a form was made with. */
export interface ShownTag {
  name?: string | undefined;
  color?: string | undefined;
}

/** Changes what is not null, unless another tag has the key. */
export function updateTagIfKeyFree(
  ctx: Ctx,
  id: string,
  { name, key, color }: TagChange,
  shown: ShownTag,
  guard: SQL,
): SQL[] {
  const condition = sql`${isLive(ctx, id)} AND ${isKeyFree(ctx, id, key)} AND ${guard}`;
  const [newName, newColor] = [sql`coalesce(${name}, name)`, sql`coalesce(${color}, color)`];
  const fields = { name: [sql`name`, newName], color: [sql`color`, newColor] } as const;
  return [
    ...failOnOtherValues(sql`FROM tags WHERE ${isLive(ctx, id)} AND ${guard}`, [
      [sql`name`, shown.name, name],
      [sql`color`, shown.color, color],
    ]),
    appendEvents(
      ctx,
      changeEvents("tag.updated", { objectId: sql`id`, fields, from: sql`FROM tags WHERE ${condition}` }),
    ),
    sql`UPDATE tags SET name = ${newName}, name_key = coalesce(${key}, name_key), color = ${newColor} WHERE ${condition}`,
  ];
}

export const markTagDeleted = (ctx: Ctx, id: string, at: number, guard: SQL): SQL[] => [
  appendEvents(ctx, sql`SELECT ${event("tag.deleted", sql`id`)} FROM tags WHERE ${isLive(ctx, id)} AND ${guard}`),
  sql`UPDATE tags SET deleted_at = ${at} WHERE ${isLive(ctx, id)} AND ${guard}`,
];

const tagJson = sql`json_object('id', id, 'name', name, 'color', color, 'created_at', created_at)`;

/** One row with the tag as JSON in `result` where it has, or may have, the key; or none. */
export const tagAsJson = (ctx: Ctx, id: string | SQL, key: string | null): SQL =>
  sql`SELECT ${tagJson} AS result FROM tags WHERE ${isLive(ctx, id)} AND ${isKeyFree(ctx, id, key)}`;

export const selectTag = (ctx: Ctx, id: string): Statement<{ result: TagRecord }> =>
  statement(z.object({ result: fromJson(tagRecord) }), tagAsJson(ctx, id, null));

/** The same of a tag deleted at this time. */
export const deletedTagAsJson = (ctx: Ctx, id: string, at: number): SQL =>
  sql`SELECT ${tagJson} AS result FROM tags WHERE id = ${id} AND ${inWorkspace(ctx)} AND deleted_at = ${at}`;
