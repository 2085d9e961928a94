import * as z from "zod";
import {
  filterOps,
  type FilterOp,
  type FilterField,
  isOwnField,
  customFieldKind,
  ownFields,
} from "./segments.fields.ts";
import { hasOwn } from "../../shared/security/own.ts";
import { AppError, type Fault } from "../../shared/errors.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const storedCondition = z.object({
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

interface PresentedCondition {
  field: string;
  op: FilterOp;
  value: StoredCondition["value"];
}

interface PresentedGroup {
  match: "all" | "any";
  conditions: PresentedCondition[];
}

interface PresentedFilter {
  match: "all" | "any";
  conditions: (PresentedCondition | PresentedGroup)[];
}

interface NamedTag {
  number: number;
  name: string;
}

function currentNames(filter: StoredFilter, { tags }: { tags: readonly NamedTag[] }) {
  const tagNames = new Map([...filter.tags, ...tags].map(({ number, name }) => [number, name]));
  const keys = new Map(filter.fields.map(({ number, key }) => [number, key]));
  return {
    tag: (number: number): string => tagNames.get(number) ?? "",
    field: (field: string | number): string => (typeof field === "string" ? field : `custom_fields.${keys.get(field)}`),
  };
}

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

interface RemainingDefinitions {
  tags: readonly { number: number; name: string }[];
  fields: readonly FieldDefinition[];
}

/** One filter can use hundreds of deleted options, so a response that lists segments could become too large. */
const MAX_REASONS = 50;

function conditionsWithPaths({ conditions }: StoredFilter): { condition: StoredCondition; path: string }[] {
  return conditions.flatMap((entry, index) => {
    const path = `filter.conditions.${index}`;
    if (!hasOwn(entry, "conditions")) return [{ condition: entry, path }];
    return entry.conditions.map((condition, at) => ({ condition, path: `${path}.conditions.${at}` }));
  });
}

function conditionField({ field }: StoredCondition, fields: readonly FieldDefinition[]): FilterField | null {
  if (typeof field === "string") return isOwnField(field) ? ownFields[field] : null;
  const custom = fields.find(({ number }) => number === field);
  return custom === undefined ? null : { kind: customFieldKind(custom), options: custom.options };
}

export function findInvalidReasons(filter: StoredFilter, surviving: RemainingDefinitions): Fault[] {
  const names = currentNames(filter, surviving);
  const existingTags = new Set(surviving.tags.map(({ number }) => number));
  const reasons = conditionsWithPaths(filter).flatMap(({ condition, path }): Fault[] => {
    const name = names.field(condition.field);
    const field = conditionField(condition, surviving.fields);
    if (field === null) {
      const message = `The field ${name} was deleted.`;
      return [{ path: `${path}.field`, code: "field_deleted", message }];
    }
    if (field.kind === "tags") {
      const deleted = conditionValues(condition.value)
        .map(Number)
        .filter((number) => !existingTags.has(number));
      return deleted.map((number) => ({
        path: `${path}.value`,
        code: "tag_deleted",
        message: `The tag ${JSON.stringify(names.tag(number))} was deleted.`,
      }));
    }
    if (field.kind !== "choice" && field.kind !== "multi_choice") return [];
    const removed = conditionValues(condition.value).filter((option) => !field.options.includes(String(option)));
    return removed.map((option) => ({
      path: `${path}.value`,
      code: "option_removed",
      message: `${JSON.stringify(option)} is no longer an option of ${name}.`,
    }));
  });
  return reasons.slice(0, MAX_REASONS);
}

/**
 * Throws if the filter uses deleted items, because without their conditions the segment would include more contacts.
 */
export function assertValidSegment<Segment extends RemainingDefinitions & { filter: StoredFilter }>(
  segment: Segment,
): Segment {
  const reasons = findInvalidReasons(segment.filter, segment);
  if (reasons.length === 0) return segment;
  const message = "The segment uses deleted items. Change its filter; `reasons` lists them.";
  throw new AppError("invalid_state", message, { status: "invalid", reasons });
}
