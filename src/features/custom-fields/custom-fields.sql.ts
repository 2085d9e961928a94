import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { customFields } from "../../db/schema/index.ts";
import { type SQL, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { customFieldRecord } from "./custom-fields.schemas.ts";
import { fieldTypes } from "./custom-fields.values.ts";

const columns = {
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

// Raw for INDEXED BY: this index has no deleted fields.
const liveFields = (ctx: Ctx): SQL =>
  sql`custom_fields INDEXED BY custom_fields_live WHERE workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL`;

export const selectCustomFields = (ctx: Ctx, limit: number, below: number | undefined) =>
  statement(
    fieldRow,
    sql`
      SELECT id, number, field_key, label, type, options, removed_options, created_at
      FROM ${liveFields(ctx)} ${below === undefined ? sql`` : sql`AND number < ${below}`}
      ORDER BY number DESC LIMIT ${limit + 1}`,
  );

const definition = z.object({
  number: z.number(),
  key: z.string(),
  type: z.enum(fieldTypes),
  options: strings,
  removed: strings,
});

/** Oldest first; at most 100. */
export const selectFieldDefinitions = (ctx: Ctx) =>
  statement(
    definition,
    sql`
      SELECT number, field_key AS "key", type, options, removed_options AS removed FROM ${liveFields(ctx)} ORDER BY number`,
  );

/** Raw for CROSS JOIN: each key is one look-up. */
export const selectFieldsByKey = (ctx: Ctx, keys: readonly string[]) =>
  statement(
    definition,
    sql`
      SELECT f.number AS number, f.field_key AS "key", f.type AS type, f.options AS options, f.removed_options AS removed
      FROM json_each(${JSON.stringify(keys)}) k
      CROSS JOIN custom_fields f ON f.workspace_id = ${ctx.workspace.id} AND f.field_key = k.value AND f.deleted_at IS NULL`,
  );

export const selectCustomField = (ctx: Ctx, id: string) =>
  ctx.db.select(columns).from(customFields).where(isField(ctx, id));

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
  const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM custom_fields WHERE workspace_id = ${workspaceId})`;
  return ctx.db.insert(customFields).values({ ...row, workspaceId, number, removedOptions: [] });
};

export const fieldNumber = (id: string): SQL<number> =>
  sql<number>`(SELECT number FROM custom_fields WHERE id = ${id})`;

export const updateCustomFieldRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof customFields>) =>
  ctx.db.update(customFields).set(row).where(isField(ctx, id));

export const customFieldAsJson = (ctx: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', id, 'number', number, 'field_key', field_key, 'label', label, 'type', type,
    'options', json(options), 'removed_options', json(removed_options), 'created_at', created_at) AS result
  FROM custom_fields WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL`;
