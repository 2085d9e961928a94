import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { jsonLists } from "../../db/idioms.ts";
import { tags } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { changedFields, event, newFields } from "../events/append-events.sql.ts";
import { tagPalette, tagRecord } from "./tags.schemas.ts";

const t = columns(tags, "t");
const column = columns(tags);

const recordColumns = { id: tags.id, name: tags.name, color: tags.color, created_at: tags.createdAt };

const isLive = (ctx: Ctx) => and(eq(tags.workspaceId, ctx.workspace.id), isNull(tags.deletedAt));
const isTag = (ctx: Ctx, id: string) => and(eq(tags.id, id), isLive(ctx));

const listedTag = tagRecord.extend({ number: z.number() });

export type ListedTag = z.infer<typeof listedTag>;

/** Raw SQL, because INDEXED BY selects an index that omits deleted tags. */
export const selectTags = (ctx: Ctx, limit: number, below: number | undefined) =>
  statement(
    listedTag,
    sql`
      SELECT ${column.number}, ${column.id}, ${column.name}, ${column.color}, ${column.createdAt} FROM tags INDEXED BY tags_live
      WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.deletedAt} IS NULL ${below === undefined ? sql`` : sql`AND ${column.number} < ${below}`}
      ORDER BY ${column.number} DESC LIMIT ${limit + 1}`,
  );

export const selectTag = (ctx: Ctx, id: string) => ctx.db.select(recordColumns).from(tags).where(isTag(ctx, id));

export const selectTagHolder = (ctx: Ctx, key: string) =>
  ctx.db
    .select({ id: tags.id })
    .from(tags)
    .where(and(isLive(ctx), eq(tags.nameKey, key)));

const lastNumber = (ctx: Ctx): SQL =>
  sql`(SELECT coalesce(max(${column.number}), 0) FROM tags WHERE ${column.workspaceId} = ${ctx.workspace.id})`;

const paletteColor = (number: SQL): SQL =>
  sql`${JSON.stringify(tagPalette)} ->> CAST(${number} % ${tagPalette.length} AS INTEGER)`;

/** If `color` is missing, the tag's number selects a color of the palette. */
export function insertTag(
  ctx: Ctx,
  {
    color,
    ...tag
  }: Pick<typeof tags.$inferInsert, "id" | "name" | "nameKey" | "createdAt"> & { color?: string | undefined },
) {
  const number = sql`(${lastNumber(ctx)} + 1)`;
  const row = { ...tag, workspaceId: ctx.workspace.id, number, color: color ?? paletteColor(number) };
  return ctx.db.insert(tags).values(row);
}

export const storedColor = (id: string): SQL<string> =>
  sql<string>`(SELECT ${column.color} FROM tags WHERE ${column.id} = ${id})`;

export const updateTagRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof tags>) =>
  ctx.db.update(tags).set(row).where(isTag(ctx, id));

export interface NewTag {
  id: string;
  name: string;
  nameKey: string;
}

/** Raw SQL, so that one statement numbers and inserts a whole list of tags. */
export const insertMissingTags = (ctx: Ctx, rows: readonly NewTag[], guard: SQL): SQL[] =>
  jsonLists(rows).map(
    (json) => sql`
      INSERT INTO tags (${column.workspaceId}, ${column.number}, ${column.id}, ${column.name}, ${column.nameKey}, ${column.color}, ${column.createdAt})
      SELECT ${ctx.workspace.id}, number, row ->> 'id', row ->> 'name', row ->> 'nameKey', ${paletteColor(sql`number`)}, ${ctx.now()}
      FROM (
        SELECT ${lastNumber(ctx)} + row_number() OVER (ORDER BY e.key) AS number, e.value AS row
        FROM json_each(${json}) e WHERE ${guard} AND NOT EXISTS (
          SELECT 1 FROM tags t WHERE ${t.workspaceId} = ${ctx.workspace.id} AND ${t.nameKey} = e.value ->> 'nameKey' AND ${t.deletedAt} IS NULL))
      WHERE TRUE ON CONFLICT DO NOTHING`,
  );

/** The events of inserted tags. A tag that already existed was not inserted, so it is not found under its new id. */
export const tagCreatedEvents = (ctx: Ctx, ids: readonly string[]): SQL => sql`
  SELECT ${event("tag.created", t.id, changedFields(newFields(["name", "color"])))}
  FROM json_each(${JSON.stringify(ids)}) e CROSS JOIN tags t ON ${t.id} = e.value AND ${t.workspaceId} = ${ctx.workspace.id}`;

const tagByKey = z.object({
  number: z.number(),
  id: z.string(),
  name: z.string(),
  color: z.string(),
  name_key: z.string(),
});

/** Raw SQL, because CROSS JOIN makes SQLite read the list first and look up each key in the index. */
export const selectTagsByKey = (ctx: Ctx, keys: readonly string[]) =>
  statement(
    tagByKey,
    sql`
      SELECT ${t.number} AS number, ${t.id} AS id, ${t.name} AS name, ${t.color} AS color, ${t.nameKey} AS name_key
      FROM json_each(${JSON.stringify(keys)}) k
      CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.nameKey} = k.value AND ${t.deletedAt} IS NULL`,
  );

const tagByNumber = z.object({ number: z.number(), name: z.string() });

export const selectTagsByNumber = (ctx: Ctx, numbers: readonly number[]) =>
  statement(
    tagByNumber,
    sql`
      SELECT ${t.number} AS number, ${t.name} AS name FROM json_each(${JSON.stringify(numbers)}) n
      CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = n.value AND ${t.deletedAt} IS NULL`,
  );

export const tagAsJson = (ctx: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${column.id}, 'name', ${column.name}, 'color', ${column.color}, 'created_at', ${column.createdAt}) AS result
  FROM tags WHERE ${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id} AND ${column.deletedAt} IS NULL`;
