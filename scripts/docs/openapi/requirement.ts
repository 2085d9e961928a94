import type { Field } from "./schema-reader.ts";

const MAX_NAMED = 4;

/** Whether a field is required: `required`, `one of to | contact_id | user_id required`, or empty. */
export function requirementOf({
  required,
  alternatives,
  areCombinable,
}: Pick<Field, "required" | "alternatives" | "areCombinable">): string {
  if (required) return "required";
  if (alternatives.length === 0) return "";
  const names = alternatives.map((fields) => fields.join(" + "));
  const [first = ""] = names;
  const named = names.length > MAX_NAMED ? [first, "…", ...names.slice(-1)] : names;
  return `${areCombinable ? "at least one of" : "one of"} ${named.join(" | ")} required`;
}
