import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { type Definition, type FieldType, fieldTypes } from "./custom-fields.values.ts";

const liveOnes = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL`;
const live = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND ${liveOnes(ctx)}`;

const asJson = sql`json_object('id', id, 'number', number, 'field_key', field_key, 'label', label, 'type', type,
  'options', json(options), 'removed_options', json(removed_options), 'created_at', created_at)`;

/** Newest first, one row beyond `limit`, as JSON in `result`. */
export const list = (ctx: Ctx, limit: number, below: number | undefined): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT ${asJson} AS result FROM custom_fields INDEXED BY custom_fields_live
    WHERE ${liveOnes(ctx)} ${below === undefined ? sql`` : sql`AND number < ${below}`}
    ORDER BY number DESC LIMIT ${limit + 1}`);

/** All fields of the workspace, for `parseDefinitions`; at most 100. */
export const definitionsQuery = (ctx: Ctx): SQL => sql`
  SELECT number, field_key AS "key", type, options, removed_options AS removed
  FROM custom_fields INDEXED BY custom_fields_live WHERE ${liveOnes(ctx)} ORDER BY number`;

const strings = fromJson(z.array(z.string()));

const definition = z.object({
  number: z.number(),
  key: z.string(),
  type: z.enum(fieldTypes),
  options: strings,
  removed: strings,
});
const definitions = z.array(definition);

/** All fields of the workspace, oldest first; at most 100. */
export const selectFieldDefinitions = (ctx: Ctx): Statement<Definition> => statement(definition, definitionsQuery(ctx));

/** The fields of the workspace, oldest first, from rows of `definitionsQuery`. */
export const parseDefinitions = (rows: unknown): Definition[] => definitions.parse(rows);

export interface NewField {
  id: string;
  fieldKey: string;
  label: string;
  type: FieldType;
  options: string[];
}

/** Adds a field with the next number, unless the key is taken or there are `max` fields already. */
export const insert = (ctx: Ctx, { id, fieldKey, label, type, options }: NewField, max: number, guard: SQL): SQL => sql`
  INSERT INTO custom_fields (workspace_id, number, id, field_key, label, type, options, removed_options, created_at)
  SELECT ${ctx.workspace.id}, (SELECT coalesce(max(number), 0) + 1 FROM custom_fields WHERE workspace_id = ${ctx.workspace.id}),
    ${id}, ${fieldKey}, ${label}, ${type}, ${JSON.stringify(options)}, '[]', ${ctx.now()}
  WHERE ${guard} AND (SELECT count(*) FROM custom_fields WHERE ${liveOnes(ctx)}) < ${max}
  ON CONFLICT DO NOTHING`;

/** Who has the key: what a refused `insert` is explained from. */
export const holder = (ctx: Ctx, fieldKey: string): SQL =>
  sql`SELECT (SELECT id FROM custom_fields WHERE ${liveOnes(ctx)} AND field_key = ${fieldKey}) AS id`;

/** One row with the field as JSON in `result`, or none. */
export const fieldAsJson = (ctx: Ctx, id: string, condition = sql`TRUE`): SQL =>
  sql`SELECT ${asJson} AS result FROM custom_fields WHERE ${live(ctx, id)} AND ${condition}`;

export interface FieldChange {
  label: string | undefined;
  /** As they must be: neither ever changes. */
  fieldKey: string | undefined;
  type: string | undefined;
  options: string[] | null | undefined;
}

const values = (json: SQL): SQL => sql`SELECT value FROM json_each(${json})`;

/** True while nothing speaks against a change, and still true once it is made. */
export function allows({ fieldKey, type, options }: FieldChange): SQL {
  const conditions = [
    sql`TRUE`,
    ...(fieldKey === undefined ? [] : [sql`field_key = ${fieldKey}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(options === undefined ? [] : [sql`(type IN ('select', 'multi_select')) = ${options === null ? 0 : 1}`]),
    ...(Array.isArray(options)
      ? [sql`NOT EXISTS (${values(sql`removed_options`)} WHERE value IN (${values(sql`${JSON.stringify(options)}`)}))`]
      : []),
  ];
  return sql.join(conditions, sql` AND `);
}

/** Changes what was sent where `allows` holds. Options that are no longer there move to `removed_options`. */
export function update(ctx: Ctx, id: string, change: FieldChange, guard: SQL): SQL {
  const { label, options } = change;
  const sent = sql`${JSON.stringify(options)}`;
  const removed = sql`
    SELECT json_group_array(value) FROM (${values(sql`custom_fields.removed_options`)}
    UNION ALL ${values(sql`custom_fields.options`)} WHERE value NOT IN (${values(sent)}))`;
  return sql`
    UPDATE custom_fields SET label = coalesce(${label ?? null}, label)
      ${Array.isArray(options) ? sql`, options = ${sent}, removed_options = (${removed})` : sql``}
    WHERE ${live(ctx, id)} AND ${allows(change)} AND ${guard}`;
}

export const markDeleted = (ctx: Ctx, id: string, at: number, guard: SQL): SQL =>
  sql`UPDATE custom_fields SET deleted_at = ${at} WHERE ${live(ctx, id)} AND ${guard}`;

/** One row with the field deleted at this time as JSON in `result`, or none. */
export const deletedAsJson = (ctx: Ctx, id: string, at: number): SQL => sql`
  SELECT ${asJson} AS result FROM custom_fields
  WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at = ${at}`;
