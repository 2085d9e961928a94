// A segment is invalid if its filter names a deleted tag, custom field or option. Pure.
import { AppError, type Fault } from "../../shared/errors.ts";
import { hasOwn } from "../../shared/security/own.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import { type FilterField, isOwnField, customFieldKind, ownFields } from "./segments.fields.ts";
import { currentNames, conditionValues, type StoredCondition, type StoredFilter } from "./segments.stored.ts";

/** The existing definitions of a filter's tags and custom fields. */
export interface RemainingDefinitions {
  tags: readonly { number: number; name: string }[];
  fields: readonly FieldDefinition[];
}

/** A list of segments contains the reasons of each, which could name hundreds of deleted options. */
const MAX_REASONS = 50;

function conditionsWithPaths({ conditions }: StoredFilter): { condition: StoredCondition; path: string }[] {
  return conditions.flatMap((entry, index) => {
    const path = `filter.conditions.${index}`;
    if (!hasOwn(entry, "conditions")) return [{ condition: entry, path }];
    return entry.conditions.map((condition, at) => ({ condition, path: `${path}.conditions.${at}` }));
  });
}

/** Null if the custom field was deleted. */
function conditionField({ field }: StoredCondition, fields: readonly FieldDefinition[]): FilterField | null {
  if (typeof field === "string") return isOwnField(field) ? ownFields[field] : null;
  const custom = fields.find(({ number }) => number === field);
  return custom === undefined ? null : { kind: customFieldKind(custom), options: custom.options };
}

/** The deleted tags, custom fields and options of a filter, with the paths of their conditions. Empty for a valid filter. */
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

/** Throws `invalid_state` for an invalid segment, which would include more contacts without the deleted condition. */
export function assertValidSegment<Segment extends RemainingDefinitions & { filter: StoredFilter }>(
  segment: Segment,
): Segment {
  const reasons = findInvalidReasons(segment.filter, segment);
  if (reasons.length === 0) return segment;
  const message = "The segment uses deleted items. Change its filter; `reasons` lists them.";
  throw new AppError("invalid_state", message, { status: "invalid", reasons });
}
