import type { Child, FC } from "hono/jsx";
import { hasOwn } from "../../../shared/security/own.ts";
import { Day, LocalTime } from "../../kit/feedback.tsx";
import { countryName } from "../contacts/contact-fields.tsx";
import { type ConditionView, type FilterView, type KnownField, type KnownFields, labelOp } from "./segment-fields.ts";
import { formatValue } from "../../kit/format.ts";

function describeValue(field: KnownField | undefined, value: unknown): Child {
  const text = formatValue(value);
  switch (field?.kind) {
    case "tags":
    case "text":
      return `“${text}”`;
    case "boolean":
      return value === true ? "yes" : "no";
    case "choice":
    case "multi_choice":
      return field.optionLabel(text);
    case "country":
      return countryName(text);
    case "date":
    case "datetime":
      return text.includes("T") ? <LocalTime at={Date.parse(text)} /> : <Day date={text} />;
    case "phone":
    case "id":
    case "number":
    case undefined:
      return text;
  }
}

/** Inserts `joint` between parts. */
const joined = (parts: readonly Child[], joint: string): Child =>
  parts.map((part, at) => (
    <>
      {at > 0 && joint}
      {part}
    </>
  ));

const ConditionSentence: FC<{ condition: ConditionView; fields: KnownFields }> = ({ condition, fields }) => {
  const { field: name, op, value } = condition;
  const field = fields.get(name);
  const label = field?.label ?? name;
  if (op === "within_days") return <>{`${label} is in the last ${formatValue(value)} days`}</>;
  const values = (Array.isArray(value) ? value : [value]).filter((each) => formatValue(each) !== "");
  return (
    <>
      {`${label} ${labelOp(op, field?.kind ?? "text")} `.trimEnd()}
      {values.length > 0 && " "}
      {joined(
        values.map((each) => describeValue(field, each)),
        op === "between" ? " and " : ", ",
      )}
    </>
  );
};

/** `Tags have any of “vip” and (Status is Hot or Status is Warm)`. */
export const FilterDescription: FC<{ filter: FilterView; fields: KnownFields }> = ({ filter, fields }) => (
  <>
    {joined(
      filter.conditions.map((entry) =>
        hasOwn(entry, "conditions") ? (
          <>
            (<FilterDescription filter={entry} fields={fields} />)
          </>
        ) : (
          <ConditionSentence condition={entry} fields={fields} />
        ),
      ),
      filter.match === "all" ? " and " : " or ",
    )}
  </>
);
