import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type FieldChange, refuseChange, type ShownField } from "./custom-fields.changes.ts";
import { type CustomFieldRecord, customFieldRecord } from "./custom-fields.schemas.ts";
import {
  customFieldAsJson,
  deletedCustomFieldAsJson,
  insertCustomField,
  isChangeAllowed,
  markCustomFieldDeleted,
  selectCustomField,
  selectCustomFields,
  selectKeyHolder,
  updateCustomFieldIfAllowed,
} from "./custom-fields.sql.ts";
import type { FieldType } from "./custom-fields.values.ts";

const MAX_FIELDS = 100;

/** Newest first, one beyond `limit` where there are more. */
export async function listCustomFields(ctx: Ctx, limit: number, below?: number): Promise<CustomFieldRecord[]> {
  const rows = await fetchRows(ctx.db, selectCustomFields(ctx, limit, below));
  return rows.map(({ result }) => result);
}

interface CustomFieldInput {
  fieldKey: string;
  label: string;
  type: FieldType;
  /** For selects. */
  options: string[] | null;
}

/** Throws `conflict` when a field has this key, `invalid_state` when the workspace has as many fields as it may. */
export async function createCustomField(ctx: Ctx, input: CustomFieldInput): Promise<CustomFieldRecord> {
  const field = { ...input, id: ctx.newId("cf"), options: input.options ?? [] };
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => insertCustomField(ctx, field, MAX_FIELDS, guard),
    result: customFieldAsJson(ctx, field.id),
    shape: customFieldRecord,
    facts: selectKeyHolder(ctx, input.fieldKey),
  });
  if (result !== null) return result;
  const holderId = facts[0]?.id ?? null;
  throw holderId === null
    ? new AppError("invalid_state", `A workspace has at most ${MAX_FIELDS} custom fields. Delete one first.`, {
        status: "full",
      })
    : new AppError("conflict", "Another custom field has this key.", { field: "field_key", custom_field_id: holderId });
}

/**
 * Changes label or options. Values of a removed option count as unset at once and are cleared in the background.
 * Throws `not_found`; `validation_failed` for another key or type; `invalid_state` for an option still being cleared;
 * `precondition_failed` where somebody else has changed the same since a form was made with what is `shown`.
 */
export async function updateCustomField(
  ctx: Ctx,
  id: string,
  change: FieldChange,
  shown: ShownField = {},
): Promise<CustomFieldRecord> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => updateCustomFieldIfAllowed(ctx, id, change, shown, guard),
    result: customFieldAsJson(ctx, id, isChangeAllowed(change)),
    shape: customFieldRecord,
    facts: selectCustomField(ctx, id),
  });
  if (result !== null) return result;
  const [field] = facts;
  if (field === undefined) throw notFound("custom field");
  throw refuseChange(field.result, change) ?? new Error("A change that is allowed was not made.");
}

/** Contacts stop showing the field; its values are cleared in the background. Throws `not_found`, also the second time. */
export async function deleteCustomField(ctx: Ctx, id: string): Promise<CustomFieldRecord> {
  const at = ctx.now();
  const { result } = await commitOnce(ctx, {
    effects: (guard) => markCustomFieldDeleted(ctx, id, at, guard),
    result: deletedCustomFieldAsJson(ctx, id, at),
    shape: customFieldRecord,
  });
  if (result === null) throw notFound("custom field");
  return result;
}
