import { and, asc, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { customFields } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { customFieldRecord } from "./custom-fields.schemas.ts";
import { fieldTypes } from "./custom-fields.values.ts";

const f = columns(customFields, "f");
const column = columns(customFields);

const recordColumns = {
  id: customFields.id,
  number: customFields.number,
  field_key: customFields.fieldKey,
  label: customFields.label,
  type: customFields.type,
  options: customFields.options,
  removed_options: customFields.removedOptions,
  created_at: customFields.createdAt,
};

const isLive = (ctx: Ctx) => and(eq(customFields.workspaceId, ctx.workspace.id), isNull(customFields.deletedAt));
const isField = (ctx: Ctx, id: string) => and(eq(customFields.id, id), isLive(ctx));

const strings = fromJson(z.array(z.string()));

const fieldRow = customFieldRecord.extend({ options: strings, removed_options: strings });

// Raw SQL, because INDEXED BY selects an index that omits deleted fields.
const liveFields = (ctx: Ctx): SQL =>
  sql`custom_fields INDEXED BY custom_fields_live WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.deletedAt} IS NULL`;

export const selectCustomFields = (ctx: Ctx, limit: number, below: number | undefined) =>
  statement(
    fieldRow,
    sql`
      SELECT ${column.id}, ${column.number}, ${column.fieldKey}, ${column.label}, ${column.type}, ${column.options}, ${column.removedOptions}, ${column.createdAt}
      FROM ${liveFields(ctx)} ${below === undefined ? sql`` : sql`AND ${column.number} < ${below}`}
      ORDER BY ${column.number} DESC LIMIT ${limit + 1}`,
  );

const definition = z.object({
  number: z.number(),
  key: z.string(),
  type: z.enum(fieldTypes),
  options: strings,
  removed: strings,
});

export const selectFieldDefinitions = (ctx: Ctx) =>
  statement(
    definition,
    sql`
      SELECT ${column.number}, ${column.fieldKey} AS "key", ${column.type}, ${column.options}, ${column.removedOptions} AS removed
      FROM ${liveFields(ctx)} ORDER BY ${column.number}`,
  );

/** Raw SQL, because CROSS JOIN makes SQLite look up each key of the list once. */
export const selectFieldsByKey = (ctx: Ctx, keys: readonly string[]) =>
  statement(
    definition,
    sql`
      SELECT ${f.number} AS number, ${f.fieldKey} AS "key", ${f.type} AS type, ${f.options} AS options, ${f.removedOptions} AS removed
      FROM json_each(${JSON.stringify(keys)}) k
      CROSS JOIN custom_fields f ON ${f.workspaceId} = ${ctx.workspace.id} AND ${f.fieldKey} = k.value AND ${f.deletedAt} IS NULL`,
  );

export const selectCustomField = (ctx: Ctx, id: string) =>
  ctx.db.select(recordColumns).from(customFields).where(isField(ctx, id));

export const selectFieldHolder = (ctx: Ctx, fieldKey: string) =>
  ctx.db
    .select({ id: customFields.id })
    .from(customFields)
    .where(and(isLive(ctx), eq(customFields.fieldKey, fieldKey)));

export const selectFieldAt = (ctx: Ctx, position: number) =>
  ctx.db
    .select({ id: customFields.id })
    .from(customFields)
    .where(isLive(ctx))
    .orderBy(asc(customFields.number))
    .limit(1)
    .offset(position - 1);

export const insertCustomField = (
  ctx: Ctx,
  row: Omit<typeof customFields.$inferInsert, "workspaceId" | "number" | "removedOptions">,
) => {
  const workspaceId = ctx.workspace.id;
  const number = sql`(SELECT coalesce(max(${column.number}), 0) + 1 FROM custom_fields WHERE ${column.workspaceId} = ${workspaceId})`;
  return ctx.db.insert(customFields).values({ ...row, workspaceId, number, removedOptions: [] });
};

export const fieldNumber = (id: string): SQL<number> =>
  sql<number>`(SELECT ${column.number} FROM custom_fields WHERE ${column.id} = ${id})`;

export const updateCustomFieldRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof customFields>) =>
  ctx.db.update(customFields).set(row).where(isField(ctx, id));

export const customFieldAsJson = (ctx: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${column.id}, 'number', ${column.number}, 'field_key', ${column.fieldKey}, 'label', ${column.label}, 'type', ${column.type},
    'options', json(${column.options}), 'removed_options', json(${column.removedOptions}), 'created_at', ${column.createdAt}) AS result
  FROM custom_fields WHERE ${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id} AND ${column.deletedAt} IS NULL`;
