// A filter as it is kept: tags and custom fields by number, with their last known names beside them. Pure.
import * as z from "zod";
import type { Fault } from "../../shared/errors.ts";
import type { Definition } from "../custom-fields/custom-fields.values.ts";
import { type Field, isOwnField, kindOf, type Op, ops, ownFields } from "./segments.fields.ts";
import { hasOwn } from "../../shared/own.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const storedCondition = z.object({
  /** A contact's own field, or the number of a custom one. */
  field: z.union([z.string(), z.number()]),
  op: z.enum(ops),
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

/** The tags and custom fields of a filter that still exist. */
export interface Surviving {
  tags: readonly { number: number; name: string }[];
  fields: readonly Definition[];
}

/** What a condition is about; null where the custom field is gone. */
function fieldOf({ field }: StoredCondition, fields: readonly Definition[]): Field | null {
  if (typeof field === "string") return isOwnField(field) ? ownFields[field] : null;
  const custom = fields.find(({ number }) => number === field);
  return custom === undefined ? null : { kind: kindOf(custom), options: custom.options };
}

export interface PresentedCondition {
  field: string;
  op: Op;
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

/** A list of segments shows the reasons of each: hundreds of deleted options would be told many times over. */
const MAX_REASONS = 50;

/** Tells a stored filter in the names of today, or the last known ones; `reasons` says what is gone. */
export function tellFilter(filter: StoredFilter, surviving: Surviving): { filter: PresentedFilter; reasons: Fault[] } {
  const reasons: Fault[] = [];
  const addReason = (reason: Fault) => {
    if (reasons.length < MAX_REASONS) reasons.push(reason);
  };
  const lastName = new Map(filter.tags.map(({ number, name }) => [number, name]));
  const name = new Map(surviving.tags.map((tag) => [tag.number, tag.name]));
  const key = new Map(filter.fields.map((field) => [field.number, field.key]));

  const tellTags = (value: StoredCondition["value"], path: string) =>
    listOf(value).map((number) => {
      const known = name.get(Number(number));
      const told = known ?? lastName.get(Number(number)) ?? "";
      if (known === undefined)
        addReason({
          path: `${path}.value`,
          code: "tag_deleted",
          message: `The tag ${JSON.stringify(told)} was deleted.`,
        });
      return told;
    });

  const tell = (condition: StoredCondition, path: string): PresentedCondition => {
    const { op, value } = condition;
    const field = typeof condition.field === "string" ? condition.field : `custom_fields.${key.get(condition.field)}`;
    const found = fieldOf(condition, surviving.fields);
    if (found === null) {
      addReason({
        path: `${path}.field`,
        code: "field_deleted",
        message: `The custom field of ${field} was deleted.`,
      });
    } else if (found.kind === "tags" && value !== null) {
      return { field, op, value: tellTags(value, path) };
    } else if (found.kind === "choice" || found.kind === "multi_choice") {
      for (const option of listOf(value).filter((wanted) => !found.options.includes(String(wanted))))
        addReason({
          path: `${path}.value`,
          code: "option_removed",
          message: `${JSON.stringify(option)} is no longer an option of ${field}.`,
        });
    }
    return { field, op, value };
  };

  const conditions = filter.conditions.map((entry, index) => {
    const path = `filter.conditions.${index}`;
    if (!hasOwn(entry, "conditions")) return tell(entry, path);
    return {
      match: entry.match,
      conditions: entry.conditions.map((inner, at) => tell(inner, `${path}.conditions.${at}`)),
    };
  });
  return { filter: { match: filter.match, conditions }, reasons };
}

export const listOf = (value: StoredCondition["value"]) =>
  Array.isArray(value) ? value : value === null ? [] : [value];
