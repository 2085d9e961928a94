import type { Fault } from "../../shared/errors.ts";
import { REQUIRED } from "../../shared/faults.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import {
  type FilterField,
  isOwnField,
  customFieldKind,
  filterOps,
  type FilterScalar,
  type FilterOp,
  opsByKind,
  ownFields,
  readValue,
  timeSpan,
  type ValueProblem,
} from "./segments.fields.ts";
import type { StoredCondition, StoredFilter } from "./segments.stored.ts";
import { hasOwn } from "../../shared/security/own.ts";
import { quote } from "../../shared/text/text.ts";

export interface SentCondition {
  field?: string | undefined;
  op?: string | undefined;
  value?: unknown;
}

export interface SentFilter {
  match: "all" | "any";
  conditions: (SentCondition & { match?: "all" | "any" | undefined; conditions?: SentCondition[] | undefined })[];
}

export interface FilterNames {
  tag(name: string): { number: number; name: string } | undefined;
  field(key: string): FieldDefinition | undefined;
}

const MAX_CONDITIONS = 20;
const MAX_VALUES = 200;
const MAX_DAYS = 3650;
const MAX_LENGTH = 32_000;
const CUSTOM = "custom_fields.";

const isOp = (op: string): op is FilterOp => filterOps.some((found) => found === op);
export const listsValues = (op: FilterOp) => op === "in" || op === "not_in" || op.startsWith("has_");

function sentConditions({ conditions }: SentFilter): SentCondition[] {
  return conditions.flatMap((entry) => entry.conditions ?? [entry]);
}

export function tagNamesIn(filter: SentFilter): string[] {
  const values = sentConditions(filter).flatMap(({ field, value }): unknown => (field === "tags" ? value : []));
  return values.filter((name) => typeof name === "string");
}

export const fieldKeysIn = (filter: SentFilter): string[] => {
  const names = new Set(sentConditions(filter).map(({ field = "" }) => field));
  return [...names].flatMap((name) => (name.startsWith(CUSTOM) ? [name.slice(CUSTOM.length)] : []));
};

class FilterReader {
  readonly faults: Fault[] = [];
  readonly tags = new Map<number, string>();
  readonly fields = new Map<number, string>();

  constructor(private readonly names: FilterNames) {}

  condition({ field, op, value }: SentCondition, path: string): StoredCondition | null {
    const found = field === undefined ? this.missing(`${path}.field`) : this.field(field, `${path}.field`);
    if (op === undefined) return this.missing(`${path}.op`);
    const problem = opProblem(op, found?.field);
    if (problem !== null) return this.fault(`${path}.op`, problem);
    if (found === null || !isOp(op)) return null;
    const read = this.operand(found.field, op, value, `${path}.value`);
    return read === undefined ? null : { field: found.stored, op, value: read };
  }

  fault(path: string, { code, message }: ValueProblem): null {
    this.faults.push({ path, code, message });
    return null;
  }

  missing(path: string): null {
    return this.fault(path, { code: "required", message: REQUIRED });
  }

  private field(name: string, path: string): { stored: string | number; field: FilterField } | null {
    if (isOwnField(name)) return { stored: name, field: ownFields[name] };
    const custom = name.startsWith(CUSTOM) ? this.names.field(name.slice(CUSTOM.length)) : undefined;
    if (custom === undefined) {
      const found = `Fields: ${Object.keys(ownFields).join(", ")}, and ${CUSTOM}<key> of an existing custom field.`;
      return this.fault(path, {
        code: "unknown_field",
        message: `Field ${quote(name)} does not exist. ${found}`,
      });
    }
    this.fields.set(custom.number, custom.key);
    return { stored: custom.number, field: { kind: customFieldKind(custom), options: custom.options } };
  }

  private operand(
    field: FilterField,
    op: FilterOp,
    value: unknown,
    path: string,
  ): StoredCondition["value"] | undefined {
    const fault = (code: string, message: string) => void this.fault(path, { code, message });
    if (op === "is_set" || op === "is_not_set") {
      return value === undefined || value === null ? null : fault("invalid_type", `${op} does not accept a value.`);
    }
    if (value === undefined) return void this.missing(path);
    if (op === "within_days") {
      const isDays = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS;
      return isDays ? value : fault("invalid_value", `Must be a whole number of days from 1 to ${MAX_DAYS}.`);
    }
    if (op !== "between" && !listsValues(op)) return this.value(field, op, value, path);
    const max = op === "between" ? 2 : MAX_VALUES;
    if (!Array.isArray(value))
      return fault("invalid_type", op === "between" ? "Must be a list of two values." : "Must be a list of values.");
    if (value.length === 0 || value.length > max || (op === "between" && value.length < 2)) {
      return fault(
        "invalid_length",
        op === "between" ? "Must have exactly two values, the lower first." : `Must have 1 to ${max} values.`,
      );
    }
    const read = value.map((item: unknown) => this.value(field, op, item, path)).filter((item) => item !== undefined);
    if (read.length < value.length) return undefined;
    if (op === "between") return isRising(read) ? read : fault("invalid_value", "Must have the lower value first.");
    return [...new Set(read)];
  }

  private value(field: FilterField, op: FilterOp, value: unknown, path: string): FilterScalar | undefined {
    if (field.kind === "tags") return this.tag(value, path);
    const read = readValue(field, op, value);
    if (hasOwn(read, "value")) return read.value;
    return void this.fault(path, read.problem);
  }

  private tag(name: unknown, path: string): number | undefined {
    if (typeof name !== "string") return void this.fault(path, { code: "invalid_type", message: "Must be tag names." });
    const tag = this.names.tag(name);
    if (tag === undefined)
      return void this.fault(path, { code: "unknown_tag", message: `Tag ${quote(name)} does not exist.` });
    this.tags.set(tag.number, tag.name);
    return tag.number;
  }
}

function opProblem(op: string, field: FilterField | undefined): ValueProblem | null {
  const allowed: readonly FilterOp[] = field === undefined ? filterOps : opsByKind[field.kind];
  if (allowed.some((found) => found === op)) return null;
  return {
    code: "invalid_value",
    message: `${quote(op)} is not an operator of this field. Operators: ${allowed.join(", ")}.`,
  };
}

function isRising([low, high]: FilterScalar[]): boolean {
  if (typeof low === "number" && typeof high === "number") return low <= high;
  return timeSpan(String(low))[0] <= timeSpan(String(high))[0];
}

export function readFilter(filter: SentFilter, names: FilterNames): { stored: StoredFilter | null; faults: Fault[] } {
  const reader = new FilterReader(names);
  const at = "filter.conditions";
  if (sentConditions(filter).length > MAX_CONDITIONS)
    reader.fault(at, {
      code: "too_big",
      message: `Must have at most ${MAX_CONDITIONS} conditions, including the conditions of a group.`,
    });
  if (JSON.stringify(filter).length > MAX_LENGTH)
    reader.fault("filter", { code: "too_big", message: `Must have at most ${MAX_LENGTH} characters as JSON.` });

  let groups = 0;
  const conditions = filter.conditions.flatMap((entry, index): StoredFilter["conditions"] => {
    const path = `${at}.${index}`;
    const { match, conditions: inner, ...leaf } = entry;
    if (match === undefined && inner === undefined) {
      const condition = reader.condition(leaf, path);
      return condition === null ? [] : [condition];
    }
    groups++;
    if (groups > 1) reader.fault(path, { code: "too_big", message: "A filter can have only one group." });
    for (const name of Object.keys(leaf))
      reader.fault(`${path}.${name}`, { code: "unknown_field", message: "A group accepts only match and conditions." });
    if (match === undefined) reader.missing(`${path}.match`);
    if (inner === undefined) reader.missing(`${path}.conditions`);
    const read = (inner ?? []).flatMap(
      (condition, nested) => reader.condition(condition, `${path}.conditions.${nested}`) ?? [],
    );
    return match === undefined ? [] : [{ match, conditions: read }];
  });

  const stored = {
    match: filter.match,
    conditions,
    tags: Array.from(reader.tags, ([number, name]) => ({ number, name })),
    fields: Array.from(reader.fields, ([number, key]) => ({ number, key })),
  };
  return { stored: reader.faults.length === 0 ? stored : null, faults: reader.faults };
}
