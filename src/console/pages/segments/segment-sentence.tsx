// A segment's conditions as a sentence.
import type { Child, FC } from "hono/jsx";
import { hasOwn } from "../../../shared/own.ts";
import { Day, Time } from "../../kit/feedback.tsx";
import { countryName } from "../contacts/contact-fields.tsx";
import { textOf } from "../contacts/contact-parts.tsx";
import { type Condition, type Filter, type KnownField, type KnownFields, opLabel } from "./segment-words.ts";

function valueInWords(field: KnownField | undefined, value: unknown): Child {
  const text = textOf(value);
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
      return text.includes("T") ? <Time at={Date.parse(text)} /> : <Day date={text} />;
    case "phone":
    case "id":
    case "number":
    case undefined:
      return text;
  }
}

/** `joint` stands between any two. */
const joined = (parts: readonly Child[], joint: string): Child =>
  parts.map((part, at) => (
    <>
      {at > 0 && joint}
      {part}
    </>
  ));

const ConditionSentence: FC<{ condition: Condition; fields: KnownFields }> = ({ condition, fields }) => {
  const { field: name, op, value } = condition;
  const field = fields.get(name);
  const label = field?.label ?? name;
  if (op === "within_days") return <>{`${label} is in the last ${textOf(value)} days`}</>;
  const values = (Array.isArray(value) ? value : [value]).filter((each) => textOf(each) !== "");
  return (
    <>
      {`${label} ${opLabel(op, field?.kind ?? "text")} `.trimEnd()}
      {values.length > 0 && " "}
      {joined(
        values.map((each) => valueInWords(field, each)),
        op === "between" ? " and " : ", ",
      )}
    </>
  );
};

/** `Tags have any of “vip” and (Status is Hot or Status is Warm)`. */
export const FilterSentence: FC<{ filter: Filter; fields: KnownFields }> = ({ filter, fields }) => (
  <>
    {joined(
      filter.conditions.map((entry) =>
        hasOwn(entry, "conditions") ? (
          <>
            (<FilterSentence filter={entry} fields={fields} />)
          </>
        ) : (
          <ConditionSentence condition={entry} fields={fields} />
        ),
      ),
      filter.match === "all" ? " and " : " or ",
    )}
  </>
);
