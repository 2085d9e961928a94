import type { z } from "zod";
import { type ContactField, contactFields, isContactField } from "../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import {
  type FilterField,
  isOwnField,
  type FieldKind,
  customFieldKind,
  type FilterOp,
  type OwnField,
  ownFields,
} from "../../../features/segments/segments.fields.ts";
import type { segmentView } from "../../../features/segments/segments.schemas.ts";
import { toLabel, formatValue } from "../../kit/format.ts";
import type { Child, FC } from "hono/jsx";
import { hasOwn } from "../../../shared/security/own.ts";
import { Day, LocalTime } from "../../kit/feedback.tsx";
import { countryName } from "../contacts/contact-fields.tsx";

export type FilterView = z.output<typeof segmentView>["filter"];
export type ConditionView = Exclude<FilterView["conditions"][number], { conditions: unknown }>;

export interface KnownField extends FilterField {
  label: string;
  /** Returns the label of an option. For a custom field, this is the option itself. */
  optionLabel(option: string): string;
}

export type KnownFields = ReadonlyMap<string, KnownField>;

const otherLabels: Record<Exclude<OwnField, ContactField>, string> = {
  id: "ID",
  tags: "Tags",
  last_inbound_at: "Last message from them",
  created_at: "Created",
  is_unsubscribed: "Unsubscribed",
  marketing_opt_out: "Marketing off",
  updated_at: "Last changed",
};

const USED_MOST = ["name", "phone", "tags", "status", "lifecycle_stage", "last_inbound_at", "created_at"];

const ownField = (name: OwnField): [string, KnownField] => {
  const label = isContactField(name) ? contactFields[name].label : otherLabels[name];
  return [name, { ...ownFields[name], label, optionLabel: toLabel }];
};

export function knownFields(custom: readonly CustomFieldRecord[]): KnownFields {
  return new Map([
    ...[...new Set([...USED_MOST, ...Object.keys(ownFields)])]
      .filter(isOwnField)
      .filter((name) => name !== "id")
      .map(ownField),
    ...custom.map(({ field_key: key, label, removed_options: removed, ...field }): [string, KnownField] => {
      const kind = customFieldKind({ key, removed, ...field });
      return [`custom_fields.${key}`, { kind, options: field.options, label, optionLabel: (option) => option }];
    }),
    ownField("id"),
  ]);
}

const opLabels: Record<FilterOp, string> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "begins with",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  between: "is between",
  within_days: "is in the last",
  has_all: "have all of",
  has_any: "have any of",
  has_none: "have none of",
  is_set: "is known",
  is_not_set: "is not known",
};

const timeOpLabels: Partial<Record<FilterOp, string>> = {
  eq: "is on",
  ne: "is not on",
  gt: "is after",
  gte: "is on or after",
  lt: "is before",
  lte: "is on or before",
};

export const labelOp = (op: FilterOp, kind: FieldKind): string =>
  (kind === "date" || kind === "datetime" ? timeOpLabels[op] : undefined) ?? opLabels[op];

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

/** Describes a filter as text, for example `Tags have any of “vip” and (Status is Hot or Status is Warm)`. */
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
