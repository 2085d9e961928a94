import { sql } from "drizzle-orm";
import { timedBatch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { baseSeq, isWithin, numbersGiven } from "../contacts/contacts.sql.ts";
import { contactPage } from "../contacts/list-contacts.sql.ts";

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

/** Contact numbers: from `high` down, as of a start (null for the newest), those behind the first `from` as far as the first `to`. */
export interface Span {
  high: number | null;
  from: number;
  to: number;
}

/**
 * A page of the contacts that `condition` (over `c`) holds for within a span, newest first, at most `limit`. With the number of the workspace's newest contact.
 */
export async function findContacts(ctx: Ctx, condition: SQL, { high, from, to }: Span, limit: number) {
  const top = high === null ? numbersGiven(ctx) : sql`${high}`;
  const within = sql`c.seq > ${baseSeq(ctx)} + max(0, ${top} - ${to}) AND c.seq <= ${baseSeq(ctx)} + ${top} - ${from}`;
  const hits = sql`
    SELECT c.seq AS seq FROM contacts c WHERE ${within} AND c.archived_at IS NULL AND ${condition} ORDER BY c.seq DESC LIMIT ${limit}`;
  const { rows, sqlMs } = await timedBatch(ctx.db, [
    contactPage(ctx, hits, limit),
    sql`SELECT ${numbersGiven(ctx)} AS given`,
  ]);
  const [found, given] = rows;
  return { found, given, sqlMs };
}

/** One row: how many active contacts numbered behind `from`, up to `to`, `condition` holds for, and how many numbers are given. */
export async function countWithin(ctx: Ctx, condition: SQL, from: number, to: number) {
  const { rows, sqlMs } = await timedBatch(ctx.db, [
    sql`
      SELECT count(*) AS count, ${numbersGiven(ctx)} AS given FROM contacts c
      WHERE ${isWithin(ctx, from, to)} AND c.archived_at IS NULL AND ${condition}`,
  ]);
  return { counted: rows[0], sqlMs };
}
