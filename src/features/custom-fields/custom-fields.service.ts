import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { changeRecord } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { createdEvent, updatedEvents } from "../events/events.changes.ts";
import {
  changeCustomField,
  type FieldChange,
  findNewFieldFault,
  MAX_CUSTOM_FIELDS,
  type RenderedField,
} from "./custom-fields.changes.ts";
import { type CustomFieldRecord, customFieldRecord, isSelect } from "./custom-fields.schemas.ts";
import {
  fieldNumber,
  insertCustomField,
  selectCustomField,
  selectCustomFields,
  selectFieldAt,
  selectFieldHolder,
  updateCustomFieldRow,
} from "./custom-fields.sql.ts";
import type { FieldType } from "./custom-fields.values.ts";

const KIND = "custom field";

export const listCustomFields = (ctx: Ctx, limit: number, below?: number): Promise<CustomFieldRecord[]> =>
  fetchRows(ctx.db, selectCustomFields(ctx, limit, below));

interface CustomFieldInput {
  fieldKey: string;
  label: string;
  type: FieldType;
  options: string[] | null;
}

export function createCustomField(ctx: Ctx, input: CustomFieldInput): Promise<CustomFieldRecord> {
  const { fieldKey, label, type } = input;
  const [id, createdAt, options] = [ctx.newId("cf"), ctx.now(), input.options ?? []];
  const fields = { field_key: fieldKey, label, type };
  return decideAndCommit(ctx, {
    shape: customFieldRecord,
    reads: { holders: selectFieldHolder(ctx, fieldKey), last: selectFieldAt(ctx, MAX_CUSTOM_FIELDS) },
    expectsNothing: true,
    decide: ({ holders: [holder], last: [last] }) =>
      findNewFieldFault(holder, last) ?? {
        writes: [insertCustomField(ctx, { id, fieldKey, label, type, options, createdAt })],
        events: [createdEvent("custom_field.created", id, isSelect(type) ? { ...fields, options } : fields)],
        answer: { id, number: fieldNumber(id), ...fields, options, removed_options: [], created_at: createdAt },
      },
  });
}

/**
 * Throws `precondition_failed` if somebody changed the field after the form was rendered. Throws `invalid_state` for an
 * option whose old values are still being cleared.
 */
export const updateCustomField = (
  ctx: Ctx,
  id: string,
  change: FieldChange,
  rendered: RenderedField = {},
): Promise<CustomFieldRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: customFieldRecord,
    record: selectCustomField(ctx, id),
    decide(field) {
      const changed = changeCustomField(field, change, rendered);
      if (changed instanceof AppError) return changed;
      const { label, options, removed_options: removedOptions } = changed;
      const events = updatedEvents("custom_field.updated", id, field, { label, options });
      const writes = events.length === 0 ? [] : [updateCustomFieldRow(ctx, id, { label, options, removedOptions })];
      return { writes, events, answer: changed };
    },
  });

export const deleteCustomField = (ctx: Ctx, id: string): Promise<CustomFieldRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: customFieldRecord,
    record: selectCustomField(ctx, id),
    decide: (field) => ({
      writes: [updateCustomFieldRow(ctx, id, { deletedAt: ctx.now() })],
      events: [{ type: "custom_field.deleted", id }],
      answer: field,
    }),
  });
