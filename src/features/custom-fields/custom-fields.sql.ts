import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import {
  appendEvents,
  type ChangedFields,
  changeEvents,
  changedFields,
  event,
  newFields,
} from "../events/append-events.sql.ts";
import type { FieldChange, ShownField } from "./custom-fields.changes.ts";
import { customFieldRecord } from "./custom-fields.schemas.ts";
import { type FieldDefinition, type FieldType, fieldTypes, selectTypes } from "./custom-fields.values.ts";

const isLive = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL`;
const isLiveField = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND ${isLive(ctx)}`;

const fieldJson = sql`json_object('id', id, 'number', number, 'field_key', field_key, 'label', label, 'type', type,
  'options', json(options), 'removed_options', json(removed_options), 'created_at', created_at)`;

const fieldRow = z.object({ result: fromJson(customFieldRecord) });
type FieldRow = z.infer<typeof fieldRow>;

/** Newest first, one row beyond `limit`. The index holds live fields only, so that deleted ones are not read. */
export const selectCustomFields = (ctx: Ctx, limit: number, below: number | undefined): Statement<FieldRow> =>
  statement(
    fieldRow,
    sql`
      SELECT ${fieldJson} AS result FROM custom_fields INDEXED BY custom_fields_live
      WHERE ${isLive(ctx)} ${below === undefined ? sql`` : sql`AND number < ${below}`}
      ORDER BY number DESC LIMIT ${limit + 1}`,
  );

const strings = fromJson(z.array(z.string()));

const definition = z.object({
  number: z.number(),
  key: z.string(),
  type: z.enum(fieldTypes),
  options: strings,
  removed: strings,
});

/** All fields of the workspace, oldest first; at most 100. */
export const selectFieldDefinitions = (ctx: Ctx): Statement<FieldDefinition> =>
  statement(
    definition,
    sql`
  SELECT number, field_key AS "key", type, options, removed_options AS removed
  FROM custom_fields INDEXED BY custom_fields_live WHERE ${isLive(ctx)} ORDER BY number`,
  );

export interface NewCustomField {
  id: string;
  fieldKey: string;
  label: string;
  type: FieldType;
  options: string[];
}

/** Adds a field with the next number, unless the key is taken or there are `max` fields already. */
export const insertCustomField = (
  ctx: Ctx,
  { id, fieldKey, label, type, options }: NewCustomField,
  max: number,
  guard: SQL,
): SQL[] => [
  sql`
  INSERT INTO custom_fields (workspace_id, number, id, field_key, label, type, options, removed_options, created_at)
  SELECT ${ctx.workspace.id}, (SELECT coalesce(max(number), 0) + 1 FROM custom_fields WHERE workspace_id = ${ctx.workspace.id}),
    ${id}, ${fieldKey}, ${label}, ${type}, ${JSON.stringify(options)}, '[]', ${ctx.now()}
  WHERE ${guard} AND (SELECT count(*) FROM custom_fields WHERE ${isLive(ctx)}) < ${max}
  ON CONFLICT DO NOTHING`,
  appendEvents(
    ctx,
    sql`SELECT ${event("custom_field.created", sql`id`, changedFields({ ...newFields(["field_key", "label", "type"]), ...(selectTypes.some((each) => each === type) && { options: [sql`NULL`, sql`json(options)`] }) }))}
      FROM custom_fields WHERE ${isLiveField(ctx, id)}`,
  ),
];

const keyHolder = z.object({ id: z.string().nullable() });

/** One row with the field that has the key, or null: explains why `insertCustomField` added nothing. */
export const selectKeyHolder = (ctx: Ctx, fieldKey: string): Statement<z.infer<typeof keyHolder>> =>
  statement(
    keyHolder,
    sql`SELECT (SELECT id FROM custom_fields WHERE ${isLive(ctx)} AND field_key = ${fieldKey}) AS id`,
  );

/** One row with the field as JSON in `result`, or none. */
export const customFieldAsJson = (ctx: Ctx, id: string | SQL, condition = sql`TRUE`): SQL =>
  sql`SELECT ${fieldJson} AS result FROM custom_fields WHERE ${isLiveField(ctx, id)} AND ${condition}`;

/** The field, or no row. */
export const selectCustomField = (ctx: Ctx, id: string): Statement<FieldRow> =>
  statement(fieldRow, customFieldAsJson(ctx, id));

const listItems = (json: SQL): SQL => sql`SELECT value FROM json_each(${json})`;
const selectTypeList = sql.join(
  selectTypes.map((type) => sql`${type}`),
  sql`, `,
);

/** True in SQL for a field that a change is allowed for (`refuseChange` gives null), before it is made and after. */
export function isChangeAllowed({ fieldKey, type, options }: FieldChange): SQL {
  const conditions = [
    sql`TRUE`,
    ...(fieldKey === undefined ? [] : [sql`field_key = ${fieldKey}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(options === undefined ? [] : [sql`(type IN (${selectTypeList})) = ${options === null ? 0 : 1}`]),
    ...(Array.isArray(options)
      ? [
          sql`NOT EXISTS (${listItems(sql`removed_options`)} WHERE value IN (${listItems(sql`${JSON.stringify(options)}`)}))`,
        ]
      : []),
  ];
  return sql.join(conditions, sql` AND `);
}

/** Changes what was sent where `isChangeAllowed`. Options that are no longer there move to `removed_options`. */
export function updateCustomFieldIfAllowed(
  ctx: Ctx,
  id: string,
  change: FieldChange,
  shown: ShownField,
  guard: SQL,
): SQL[] {
  const { label, options } = change;
  const sent = sql`${JSON.stringify(options)}`;
  const removed = sql`
    SELECT json_group_array(value) FROM (${listItems(sql`custom_fields.removed_options`)}
    UNION ALL ${listItems(sql`custom_fields.options`)} WHERE value NOT IN (${listItems(sent)}))`;
  const newLabel = sql`coalesce(${label ?? null}, label)`;
  const condition = sql`${isLiveField(ctx, id)} AND ${isChangeAllowed(change)} AND ${guard}`;
  const fields: ChangedFields = { label: [sql`label`, newLabel] };
  if (Array.isArray(options)) fields["options"] = [sql`json(options)`, sql`json(${sent})`];
  const from = sql`FROM custom_fields WHERE ${condition}`;
  const shownOptions = shown.options === undefined ? undefined : JSON.stringify(shown.options);
  return [
    ...failOnOtherValues(sql`FROM custom_fields WHERE ${isLiveField(ctx, id)} AND ${guard}`, [
      [sql`label`, shown.label, label],
      [sql`options`, shownOptions, JSON.stringify(options)],
    ]),
    appendEvents(ctx, changeEvents("custom_field.updated", { objectId: sql`id`, fields, from })),
    sql`
    UPDATE custom_fields SET label = ${newLabel}
      ${Array.isArray(options) ? sql`, options = ${sent}, removed_options = (${removed})` : sql``}
    WHERE ${condition}`,
  ];
}

export const markCustomFieldDeleted = (ctx: Ctx, id: string, at: number, guard: SQL): SQL[] => {
  const condition = sql`${isLiveField(ctx, id)} AND ${guard}`;
  return [
    appendEvents(ctx, sql`SELECT ${event("custom_field.deleted", sql`id`)} FROM custom_fields WHERE ${condition}`),
    sql`UPDATE custom_fields SET deleted_at = ${at} WHERE ${condition}`,
  ];
};

/** One row with the field deleted at this time as JSON in `result`, or none. */
export const deletedCustomFieldAsJson = (ctx: Ctx, id: string, at: number): SQL => sql`
  SELECT ${fieldJson} AS result FROM custom_fields
  WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at = ${at}`;
