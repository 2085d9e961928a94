import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import type { Ctx } from "../../shared/context.ts";
import { statement, type Statement } from "../../db/statement.ts";
import { palette } from "./tags.palette.ts";

const ofWorkspace = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id}`;
const live = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND ${ofWorkspace(ctx)} AND deleted_at IS NULL`;

/** Newest first, one row beyond `limit`. */
export const list = (ctx: Ctx, limit: number, below: number | undefined): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT number, id, name, color, created_at FROM tags INDEXED BY tags_live
    WHERE ${ofWorkspace(ctx)} AND deleted_at IS NULL ${below === undefined ? sql`` : sql`AND number < ${below}`}
    ORDER BY number DESC LIMIT ${limit + 1}`);

export interface NewTag {
  id: string;
  name: string;
  key: string;
  /** Null for one of the palette. */
  color: string | null;
}

const lastNumber = (ctx: Ctx): SQL => sql`(SELECT coalesce(max(number), 0) FROM tags WHERE ${ofWorkspace(ctx)})`;

/** Adds those whose key no tag has yet, numbered in their order. */
export const createMissingTags = (ctx: Ctx, rows: readonly NewTag[], guard: SQL): SQL[] =>
  jsonLists(rows).map((json) => createList(ctx, json, guard));

const createList = (ctx: Ctx, json: string, guard: SQL): SQL => sql`
  INSERT INTO tags (workspace_id, number, id, name, name_key, color, created_at)
  SELECT ${ctx.workspace.id}, number, row ->> 'id', row ->> 'name', row ->> 'key',
    coalesce(row ->> 'color', ${JSON.stringify(palette)} ->> CAST(number % ${palette.length} AS INTEGER)), ${ctx.now()}
  FROM (
    SELECT ${lastNumber(ctx)} + row_number() OVER (ORDER BY e.key) AS number, e.value AS row
    FROM json_each(${json}) e WHERE ${guard} AND NOT EXISTS (
      SELECT 1 FROM tags t WHERE t.workspace_id = ${ctx.workspace.id} AND t.name_key = e.value ->> 'key' AND t.deleted_at IS NULL))
  WHERE TRUE ON CONFLICT DO NOTHING`;

const tagByKey = z.object({
  number: z.number(),
  id: z.string(),
  name: z.string(),
  color: z.string(),
  name_key: z.string(),
});

/** The tags with these keys. */
export const selectTagsByKey = (ctx: Ctx, keys: readonly string[]): Statement<z.infer<typeof tagByKey>> =>
  statement(tagByKey, tagsByKeys(ctx, keys));

const tagByNumber = z.object({ number: z.number(), name: z.string() });

/** Those of these tags that still exist. */
export const selectTagsByNumber = (ctx: Ctx, numbers: readonly number[]): Statement<z.infer<typeof tagByNumber>> =>
  statement(tagByNumber, tagsByNumbers(ctx, numbers));

/** Rows `number, id, name, color, name_key` of the tags with these keys, for `numbersByKey`. */
export const tagsByKeys = (ctx: Ctx, keys: readonly string[]): SQL => sql`
  SELECT t.number AS number, t.id AS id, t.name AS name, t.color AS color, t.name_key AS name_key
  FROM json_each(${JSON.stringify(keys)}) k
  CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.name_key = k.value AND t.deleted_at IS NULL`;

/** Rows `number, name` of those of these tags that still exist. */
export const tagsByNumbers = (ctx: Ctx, numbers: readonly number[]): SQL => sql`
  SELECT t.number AS number, t.name AS name FROM json_each(${JSON.stringify(numbers)}) n
  CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.number = n.value AND t.deleted_at IS NULL`;

const numberedKeys = z.array(z.object({ number: z.number(), name_key: z.string() }));

/** Number by key, from rows of `tagsByKeys`. */
export const numbersByKey = (rows: unknown): Map<string, number> =>
  new Map(numberedKeys.parse(rows).map(({ number, name_key }) => [name_key, number]));

/** The other tag that has this key. */
const holder = (ctx: Ctx, id: string, key: string): SQL =>
  sql`SELECT id FROM tags WHERE ${ofWorkspace(ctx)} AND name_key = ${key} AND deleted_at IS NULL AND id <> ${id}`;

/** What a refused change is explained from: whether the tag is there, and who has the key. */
export const obstacles = (ctx: Ctx, id: string, key: string | null): SQL => sql`
  SELECT EXISTS (SELECT 1 FROM tags WHERE ${live(ctx, id)}) AS found, (${holder(ctx, id, key ?? "")}) AS holder`;

const isFree = (ctx: Ctx, id: string, key: string | null): SQL =>
  key === null ? sql`TRUE` : sql`NOT EXISTS (${holder(ctx, id, key)})`;

export interface TagChange {
  name: string | null;
  key: string | null;
  color: string | null;
}

/** Changes what is not null, unless another tag has the key. */
export const update = (ctx: Ctx, id: string, { name, key, color }: TagChange, guard: SQL): SQL => sql`
  UPDATE tags SET name = coalesce(${name}, name), name_key = coalesce(${key}, name_key), color = coalesce(${color}, color)
  WHERE ${live(ctx, id)} AND ${isFree(ctx, id, key)} AND ${guard}`;

export const markDeleted = (ctx: Ctx, id: string, at: number, guard: SQL): SQL =>
  sql`UPDATE tags SET deleted_at = ${at} WHERE ${live(ctx, id)} AND ${guard}`;

const asJson = sql`json_object('id', id, 'name', name, 'color', color, 'created_at', created_at)`;

/** One row with the tag as JSON in `result` where it has, or may have, the key; or none. */
export const tagAsJson = (ctx: Ctx, id: string, key: string | null): SQL =>
  sql`SELECT ${asJson} AS result FROM tags WHERE ${live(ctx, id)} AND ${isFree(ctx, id, key)}`;

/** The same of a tag deleted at this time. */
export const deletedAsJson = (ctx: Ctx, id: string, at: number): SQL =>
  sql`SELECT ${asJson} AS result FROM tags WHERE id = ${id} AND ${ofWorkspace(ctx)} AND deleted_at = ${at}`;
