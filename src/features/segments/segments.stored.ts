// A filter in its stored form: tags and custom fields by number, with their last known names. Pure.
import * as z from "zod";
import { filterOps, type FilterOp } from "./segments.fields.ts";
import { hasOwn } from "../../shared/security/own.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const storedCondition = z.object({
  /** A built-in field, or the number of a custom field. */
  field: z.union([z.string(), z.number()]),
  op: z.enum(filterOps),
  value: z.union([scalar, z.array(scalar)]).nullable(),
});

const match = z.enum(["all", "any"]);
const storedGroup = z.object({ match, conditions: z.array(storedCondition) });

export const storedFilter = z.object({
  match,
  conditions: z.array(z.union([storedGroup, storedCondition])),
  tags: z.array(z.object({ number: z.number(), name: z.string() })),
  fields: z.array(z.object({ number: z.number(), key: z.string() })),
});

export type StoredCondition = z.infer<typeof storedCondition>;
export type StoredFilter = z.infer<typeof storedFilter>;

export interface PresentedCondition {
  field: string;
  op: FilterOp;
  value: StoredCondition["value"];
}

export interface PresentedGroup {
  match: "all" | "any";
  conditions: PresentedCondition[];
}

export interface PresentedFilter {
  match: "all" | "any";
  conditions: (PresentedCondition | PresentedGroup)[];
}

interface NamedTag {
  number: number;
  name: string;
}

/** The current names of a filter's tags and fields. Deleted ones keep their last known names. */
export function currentNames(filter: StoredFilter, { tags }: { tags: readonly NamedTag[] }) {
  const tagNames = new Map([...filter.tags, ...tags].map(({ number, name }) => [number, name]));
  const keys = new Map(filter.fields.map(({ number, key }) => [number, key]));
  return {
    tag: (number: number): string => tagNames.get(number) ?? "",
    field: (field: string | number): string => (typeof field === "string" ? field : `custom_fields.${keys.get(field)}`),
  };
}

/** A stored filter as returned by the API. `surviving` has the existing tags of the filter. */
export function describeFilter(filter: StoredFilter, surviving: { tags: readonly NamedTag[] }): PresentedFilter {
  const names = currentNames(filter, surviving);
  const describe = ({ field, op, value }: StoredCondition): PresentedCondition => ({
    field: names.field(field),
    op,
    value:
      field === "tags" && value !== null ? conditionValues(value).map((number) => names.tag(Number(number))) : value,
  });
  return {
    match: filter.match,
    conditions: filter.conditions.map((entry) =>
      hasOwn(entry, "conditions")
        ? { match: entry.match, conditions: entry.conditions.map(describe) }
        : describe(entry),
    ),
  };
}

export const conditionValues = (value: StoredCondition["value"]) =>
  Array.isArray(value) ? value : value === null ? [] : [value];
