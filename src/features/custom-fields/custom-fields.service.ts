import * as z from "zod";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, type Fault, invalid, notFound } from "../../shared/errors.ts";
import { fromJson } from "../../shared/json.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import * as repository from "./custom-fields.sql.ts";
import {
  type CustomFieldRecord,
  customFieldRecord,
  isSelect,
  optionsMissing,
  optionsRefused,
} from "./custom-fields.schemas.ts";
import type { FieldType } from "./custom-fields.values.ts";

const MAX_FIELDS = 100;

const row = z.object({ result: fromJson(customFieldRecord) });

/** Newest first, one beyond `limit` where there are more. */
export async function listCustomFields(ctx: Ctx, limit: number, below?: number): Promise<CustomFieldRecord[]> {
  const rows = z.array(row).parse(await repository.list(ctx, limit, below));
  return rows.map(({ result }) => result);
}

interface NewField {
  fieldKey: string;
  label: string;
  type: FieldType;
  /** For selects. */
  options: string[] | null;
}

const holder = z.object({ id: z.string().nullable() });

/** Throws `conflict` when a field has this key, `invalid_state` when the workspace has as many fields as it may. */
export async function createCustomField(ctx: Ctx, input: NewField): Promise<CustomFieldRecord> {
  const field = { ...input, id: ctx.newId("cf"), options: input.options ?? [] };
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.insert(ctx, field, MAX_FIELDS, guard)],
    result: repository.fieldAsJson(ctx, field.id),
    shape: customFieldRecord,
    facts: statement(holder, repository.holder(ctx, input.fieldKey)),
  });
  if (result !== null) return result;
  const holderId = facts[0]?.id ?? null;
  throw holderId === null
    ? new AppError("invalid_state", `A workspace has at most ${MAX_FIELDS} custom fields. Delete one first.`, {
        status: "full",
      })
    : new AppError("conflict", "Another custom field has this key.", { field: "field_key", custom_field_id: holderId });
}

const fixed = (path: string): Fault => ({
  path,
  code: "read_only",
  message: "This cannot be changed once the field is made.",
});

function explain(record: CustomFieldRecord, { fieldKey, type, options }: repository.FieldChange): AppError {
  const select = isSelect(record.type);
  const faults = [
    ...(fieldKey === undefined || fieldKey === record.field_key ? [] : [fixed("field_key")]),
    ...(type === undefined || type === record.type ? [] : [fixed("type")]),
    ...(select && options === null ? [{ path: "options", code: "required", message: optionsMissing }] : []),
    ...(!select && Array.isArray(options) ? [{ path: "options", code: "invalid_value", message: optionsRefused }] : []),
  ];
  if (faults.length > 0) return invalid(faults);
  const pending = (options ?? []).filter((option) => record.removed_options.includes(option));
  const names = pending.map((option) => JSON.stringify(option)).join(", ");
  const message = `${names} was removed and is still being cleared from contacts. Add it again in a few minutes.`;
  return new AppError("invalid_state", message, { status: "clearing", options: pending });
}

/**
 * Changes label or options. Values of a removed option count as unset at once and are cleared in the background.
 * Throws `not_found`; `validation_failed` for another key or type; `invalid_state` for an option still being cleared.
 */
export async function updateCustomField(
  ctx: Ctx,
  id: string,
  change: repository.FieldChange,
): Promise<CustomFieldRecord> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.update(ctx, id, change, guard)],
    result: repository.fieldAsJson(ctx, id, repository.allows(change)),
    shape: customFieldRecord,
    facts: statement(row, repository.fieldAsJson(ctx, id)),
  });
  if (result !== null) return result;
  if (facts[0] === undefined) throw notFound("custom field");
  throw explain(facts[0].result, change);
}

/** Ends a field: its values count as unset at once and are cleared in the background. Throws `not_found`, also the second time. */
export async function deleteCustomField(ctx: Ctx, id: string): Promise<CustomFieldRecord> {
  const at = ctx.now();
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [repository.markDeleted(ctx, id, at, guard)],
    result: repository.deletedAsJson(ctx, id, at),
    shape: customFieldRecord,
  });
  if (result === null) throw notFound("custom field");
  return result;
}
