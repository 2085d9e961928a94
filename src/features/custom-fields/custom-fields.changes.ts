// The changes that a custom field allows. Pure; `isChangeAllowed` says the same in SQL, and a test compares the two.
import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { type CustomFieldRecord, isSelect, optionsMissing, optionsRefused } from "./custom-fields.schemas.ts";

/** Absent leaves as it is. Key and type never change: they are sent only to be compared. */
export interface FieldChange {
  label: string | undefined;
  fieldKey: string | undefined;
  type: string | undefined;
  options: string[] | null | undefined;
}

/** The values that a form was made with. */
export type ShownField = Partial<Pick<FieldChange, "label" | "options">>;

const fixed = (path: string): Fault => ({
  path,
  code: "read_only",
  message: "This cannot be changed once the field is made.",
});

/** The refusal of a change, or null. An option may not come back while the values it had are still being cleared. */
export function refuseChange(
  field: Pick<CustomFieldRecord, "field_key" | "type" | "removed_options">,
  { fieldKey, type, options }: FieldChange,
): AppError | null {
  const hasOptions = isSelect(field.type);
  const faults = [
    ...(fieldKey === undefined || fieldKey === field.field_key ? [] : [fixed("field_key")]),
    ...(type === undefined || type === field.type ? [] : [fixed("type")]),
    ...(hasOptions && options === null ? [{ path: "options", code: "required", message: optionsMissing }] : []),
    ...(!hasOptions && Array.isArray(options)
      ? [{ path: "options", code: "invalid_value", message: optionsRefused }]
      : []),
  ];
  if (faults.length > 0) return invalid(faults);
  const pending = (options ?? []).filter((option) => field.removed_options.includes(option));
  if (pending.length === 0) return null;
  const names = pending.map((option) => JSON.stringify(option)).join(", ");
  const message = `${names} was removed and is still being cleared from contacts. Add it again in a few minutes.`;
  return new AppError("invalid_state", message, { status: "clearing", options: pending });
}
