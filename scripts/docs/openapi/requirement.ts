import type { Field } from "./schema-reader.ts";

const MAX_NAMED = 4;

/** Whether a field has to be sent: `required`, `one of to | contact_id | user_id required`, or nothing. */
export function requirementOf({ required, choice }: Pick<Field, "required" | "choice">): string {
  if (required) return "required";
  if (choice.length === 0) return "";
  const alternatives = choice.map((names) => names.join(" + "));
  const [first = ""] = alternatives;
  const named = choice.length > MAX_NAMED ? [first, "…", ...alternatives.slice(-1)] : alternatives;
  return `one of ${named.join(" | ")} required`;
}
