import { findFormConflict } from "../../shared/edit-conflicts.ts";
import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { type CustomFieldRecord, isSelect, optionsMissing, optionsRefused } from "./custom-fields.schemas.ts";

export const MAX_CUSTOM_FIELDS = 100;

export interface FieldChange {
  label?: string | undefined;
  fieldKey?: string | undefined;
  type?: string | undefined;
  options?: string[] | null | undefined;
}

export type RenderedField = Pick<FieldChange, "label" | "options">;

export function findNewFieldFault(holder: { id: string } | undefined, last: { id: string } | undefined) {
  const taken = "Another custom field has this key.";
  const full = `A workspace has at most ${MAX_CUSTOM_FIELDS} custom fields. Delete one first.`;
  if (holder !== undefined) return new AppError("conflict", taken, { field: "field_key", custom_field_id: holder.id });
  return last === undefined ? null : new AppError("invalid_state", full, { status: "full" });
}

const readOnlyFault = (path: string): Fault => ({
  path,
  code: "read_only",
  message: "This field cannot be changed after creation.",
});

function findFaults(field: CustomFieldRecord, { fieldKey = field.field_key, type = field.type, options }: FieldChange) {
  const hasOptions = isSelect(field.type);
  return [
    ...(fieldKey === field.field_key ? [] : [readOnlyFault("field_key")]),
    ...(type === field.type ? [] : [readOnlyFault("type")]),
    ...(hasOptions && options === null ? [{ path: "options", code: "required", message: optionsMissing }] : []),
    ...(!hasOptions && Array.isArray(options)
      ? [{ path: "options", code: "invalid_value", message: optionsRefused }]
      : []),
  ];
}

/** A removed option can be added again only after a job has cleared its values. Otherwise old values would reappear. */
function findPendingOptions({ removed_options: removed }: CustomFieldRecord, options: readonly string[]) {
  const pending = options.filter((option) => removed.includes(option));
  if (pending.length === 0) return null;
  const names = pending.map((option) => JSON.stringify(option)).join(", ");
  const message = `${names} was removed, and its values are still being cleared from contacts. Add the option again in a few minutes.`;
  return new AppError("invalid_state", message, { status: "clearing", options: pending });
}

export function changeCustomField(
  field: CustomFieldRecord,
  change: FieldChange,
  rendered: RenderedField,
): CustomFieldRecord | AppError {
  const conflict = findFormConflict(field, change, rendered);
  if (conflict !== null) return conflict;
  const faults = findFaults(field, change);
  if (faults.length > 0) return invalid(faults);
  const options = change.options ?? field.options;
  const gone = field.options.filter((option) => !options.includes(option));
  const changed = { label: change.label ?? field.label, options, removed_options: [...field.removed_options, ...gone] };
  return findPendingOptions(field, options) ?? { ...field, ...changed };
}
