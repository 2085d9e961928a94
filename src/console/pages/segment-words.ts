// Fields, operators and conditions in the words of people. Which there are, the feature says.
import type { z } from "zod";
import type { CustomFieldRecord } from "../../features/custom-fields/custom-fields.schemas.ts";
import {
  type Field,
  type Kind,
  kindOf,
  type Op,
  type OwnField,
  ownFields,
} from "../../features/segments/segments.fields.ts";
import type { segmentView } from "../../features/segments/segments.schemas.ts";
import { textOf } from "./contact-parts.tsx";
import { hasOwn } from "../../shared/own.ts";

/** A filter as the API tells it. */
export type Filter = z.output<typeof segmentView>["filter"];
export type Condition = Exclude<Filter["conditions"][number], { conditions: unknown }>;

/** A field that a condition may be about. */
export interface KnownField extends Field {
  label: string;
}

export type KnownFields = ReadonlyMap<string, KnownField>;

const ownLabels: Record<OwnField, string> = {
  id: "Id",
  name: "Name",
  phone: "Phone",
  email: "Email",
  company: "Company",
  status: "Status",
  lifecycle_stage: "Lifecycle stage",
  source: "Source",
  address_as: "Addressed as",
  is_unsubscribed: "Opted out",
  marketing_opt_out: "Stopped marketing",
  tags: "Tags",
  created_at: "Created",
  updated_at: "Last changed",
  last_inbound_at: "Last message from them",
};

/** By the name that filters use. */
export function knownFields(custom: readonly CustomFieldRecord[]): KnownFields {
  const own = Object.entries(ownFields).map(([name, field]): [string, Field] => [name, field]);
  const labels = new Map<string, string>(Object.entries(ownLabels));
  return new Map([
    ...own.map(([name, field]) => [name, { ...field, label: labels.get(name) ?? name }] as const),
    ...custom.map(({ field_key: key, label, removed_options: removed, ...field }) => {
      const { type, options, number } = field;
      return [
        `custom_fields.${key}`,
        { kind: kindOf({ key, removed, type, options, number }), options, label },
      ] as const;
    }),
  ]);
}

const opLabels: Record<Op, string> = {
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

const ofTimes: Partial<Record<Op, string>> = {
  eq: "is on",
  ne: "is not on",
  gt: "is after",
  gte: "is on or after",
  lt: "is before",
  lte: "is on or before",
};

export const opLabel = (op: Op, kind: Kind): string =>
  (kind === "date" || kind === "datetime" ? ofTimes[op] : undefined) ?? opLabels[op];

function conditionInWords({ field: name, op, value }: Condition, fields: KnownFields): string {
  const field = fields.get(name);
  const label = field?.label ?? name;
  if (op === "within_days") return `${label} is in the last ${textOf(value)} days`;
  const isQuoted = field?.kind === "tags" || field?.kind === "text";
  const values = (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== "");
  const told = values.map((text) => (isQuoted ? `“${text}”` : text)).join(op === "between" ? " and " : ", ");
  const words = field?.kind === "boolean" ? (value === true ? "yes" : value === false ? "no" : "") : told;
  return `${label} ${opLabel(op, field?.kind ?? "text")} ${words}`.trim();
}

/** A filter as a sentence: `Tags have any of vip and (Status is hot or Status is warm)`. */
export function filterInWords({ match, conditions }: Filter, fields: KnownFields): string {
  const joint = match === "all" ? " and " : " or ";
  return conditions
    .map((entry) =>
      hasOwn(entry, "conditions") ? `(${filterInWords(entry, fields)})` : conditionInWords(entry, fields),
    )
    .join(joint);
}
