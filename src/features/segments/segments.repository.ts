import { sql } from "drizzle-orm";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";

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

/** Newest first, one row beyond `limit`, each with JSON in `result`. */
export const list = (ctx: Ctx, limit: number, before: string | undefined): Promise<{ result: string }[]> =>
  ctx.db.all(sql`
    SELECT ${segmentJson(ctx)} AS result FROM segments s
    WHERE s.workspace_id = ${ctx.workspace.id} ${before === undefined ? sql`` : sql`AND s.id < ${before}`}
    ORDER BY s.id DESC LIMIT ${limit + 1}`);

/** One row with the segment as JSON in `result`, or none. */
export const segmentAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${segmentJson(ctx)} AS result FROM segments s WHERE s.id = ${id} AND s.workspace_id = ${ctx.workspace.id}`;

export async function findAsJson(ctx: Ctx, id: string): Promise<string | null> {
  const [row] = await ctx.db.all<{ result: string }>(segmentAsJson(ctx, id));
  return row?.result ?? null;
}

export const insert = (ctx: Ctx, id: string, name: string, filter: object, guard: SQL): SQL => sql`
  INSERT INTO segments (id, workspace_id, name, filter, created_at, updated_at)
  SELECT ${id}, ${ctx.workspace.id}, ${name}, ${JSON.stringify(filter)}, ${ctx.now()}, ${ctx.now()} WHERE ${guard}`;

const own = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** Changes what is given. */
export const update = (ctx: Ctx, id: string, name: string | null, filter: object | null, guard: SQL): SQL => sql`
  UPDATE segments SET name = coalesce(${name}, name),
    filter = coalesce(${filter === null ? null : JSON.stringify(filter)}, filter), updated_at = ${ctx.now()}
  WHERE ${own(ctx, id)} AND ${guard}`;

export const remove = (ctx: Ctx, id: string, guard: SQL): SQL =>
  sql`DELETE FROM segments WHERE ${own(ctx, id)} AND ${guard}`;

/** One row with `result` where the statement before it changed a row, or none. */
export const ifChanged = (result: string): SQL => sql`SELECT ${result} AS result WHERE changes() > 0`;

const SEQ_RANGE = 2 ** 32;

/** How many contacts one page looks at. */
const WINDOW = 5000;

/**
 * A page of the contacts that `condition` (over `c`) holds for, newest first, one beyond `limit`, `contact` each: one row
 * with `n`, its number in the workspace. Examines at most `WINDOW` contacts numbered below `before`; what is below
 * `floor` was not looked at. `layout` is what they are presented with.
 */
export async function findContacts(
  ctx: Ctx,
  condition: SQL,
  { contact, layout }: { contact: SQL; layout: SQL },
  { limit, before = SEQ_RANGE }: { limit: number; before: number | undefined },
) {
  const base = ctx.workspace.number * SEQ_RANGE;
  const top = sql`(SELECT max(seq) FROM contacts WHERE seq BETWEEN ${base} AND ${base + before - 1})`;
  const [rows, facts] = await batch(ctx.db, [
    sql`
      SELECT c.seq - ${base} AS n, ${contact} AS contact FROM contacts c
      WHERE c.seq <= ${top} AND c.seq > max(${base}, ${top} - ${WINDOW}) AND c.archived_at IS NULL AND ${condition}
      ORDER BY c.seq DESC LIMIT ${limit + 1}`,
    sql`SELECT max(0, coalesce(${top} - ${base} - ${WINDOW}, 0)) AS floor, ${layout} AS layout`,
  ]);
  return { rows, facts };
}

export async function countContacts(ctx: Ctx, condition: SQL): Promise<number> {
  const base = ctx.workspace.number * SEQ_RANGE;
  const [row] = await ctx.db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM contacts c
    WHERE c.seq BETWEEN ${base} AND ${base + SEQ_RANGE - 1} AND c.archived_at IS NULL AND ${condition}`);
  return row?.count ?? 0;
}
