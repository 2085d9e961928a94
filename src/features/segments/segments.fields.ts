import { DAY_MS } from "../../shared/time/durations.ts";
import { fold } from "../../shared/text/folding.ts";
import { invalidPhoneMessage, parsePhone } from "../../shared/text/phone.ts";
import { contactFields } from "../contacts/contact-fields.schemas.ts";
import {
  type FieldDefinition,
  type FieldType,
  isCountryCode,
  isDate,
  toUtc,
} from "../custom-fields/custom-fields.values.ts";
import { quote } from "../../shared/text/text.ts";

const equality = ["eq", "ne", "in", "not_in"] as const;
const presence = ["is_set", "is_not_set"] as const;
const order = ["gt", "gte", "lt", "lte", "between"] as const;
const parts = ["contains", "starts_with"] as const;
const membership = ["has_all", "has_any", "has_none"] as const;

export const filterOps = [...equality, ...parts, ...order, "within_days", ...membership, ...presence] as const;

export type FilterOp = (typeof filterOps)[number];

export const opsByKind = {
  text: [...equality, ...parts, ...presence],
  phone: [...equality, ...parts, ...presence],
  id: [...equality, ...presence],
  choice: [...equality, ...presence],
  country: [...equality, ...presence],
  number: [...equality, ...order, ...presence],
  boolean: ["eq", "ne", ...presence],
  date: ["eq", "ne", ...order, "within_days", ...presence],
  datetime: ["eq", "ne", ...order, "within_days", ...presence],
  multi_choice: [...membership, ...presence],
  tags: [...membership, ...presence],
} as const satisfies Record<string, readonly FilterOp[]>;

export type FieldKind = keyof typeof opsByKind;

export interface FilterField {
  kind: FieldKind;
  options: readonly string[];
}

const ownField = (kind: FieldKind, options: readonly string[] = []): FilterField => ({ kind, options });

const { address_as, ...leadingFields } = contactFields;

/** Segments never contain archived contacts, so filters have no field `is_archived`. */
export const ownFields = {
  id: ownField("id"),
  ...leadingFields,
  address_as,
  is_unsubscribed: ownField("boolean"),
  marketing_opt_out: ownField("boolean"),
  tags: ownField("tags"),
  created_at: ownField("datetime"),
  updated_at: ownField("datetime"),
  last_inbound_at: ownField("datetime"),
} satisfies Record<string, FilterField>;

export type OwnField = keyof typeof ownFields;

export const isOwnField = (name: string): name is OwnField => Object.hasOwn(ownFields, name);

const kindByType = {
  text: "text",
  url: "text",
  email: "text",
  number: "number",
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  select: "choice",
  multi_select: "multi_choice",
  country: "country",
  phone: "phone",
} as const satisfies Record<FieldType, FieldKind>;

export const customFieldKind = ({ type }: FieldDefinition): FieldKind => kindByType[type];

export type FilterScalar = string | number | boolean;

export interface ValueProblem {
  code: string;
  message: string;
}

type ReadValue = { value: FilterScalar } | { problem: ValueProblem };

const MAX_TEXT = 500;

const problem = (code: string, message: string): ReadValue => ({ problem: { code, message } });

function readText(value: string): ReadValue {
  if (fold(value) === "") return problem("too_small", "Must not be empty.");
  return Array.from(value).length > MAX_TEXT
    ? problem("too_big", `Must have at most ${MAX_TEXT} characters.`)
    : { value };
}

const PART_OF_PHONE = /^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/;

function readPhone(op: FilterOp, value: string): ReadValue {
  if (op === "contains" || op === "starts_with") {
    const isPart = PART_OF_PHONE.test(value) && value.length <= 100;
    return isPart
      ? { value }
      : problem("invalid_value", "Must be digits of a phone number, with or without punctuation.");
  }
  const phone = value.length <= 100 ? parsePhone(value) : null;
  if (phone !== null) return { value: phone };
  return problem("invalid_phone", invalidPhoneMessage(value));
}

function readOption(options: readonly string[], value: string): ReadValue {
  if (options.includes(value)) return { value };
  const some = options.slice(0, 20).map((option) => JSON.stringify(option));
  const listed = [...some, ...(options.length > some.length ? [`… (${options.length} in all)`] : [])].join(", ");
  return problem("invalid_value", `${quote(value)} is not an option. Options: ${listed || "none"}.`);
}

function readString({ kind, options }: FilterField, op: FilterOp, value: string): ReadValue {
  switch (kind) {
    case "text":
      return readText(value);
    case "phone":
      return readPhone(op, value);
    case "id":
      return value !== "" && value.length <= 100
        ? { value }
        : problem("invalid_value", "Must have 1 to 100 characters.");
    case "choice":
    case "multi_choice":
      return readOption(options, value);
    case "country":
      return isCountryCode(value)
        ? { value: value.toUpperCase() }
        : problem("invalid_value", "Must be an ISO 3166-1 country code, like BR.");
    case "date":
      return isDate(value) ? { value } : problem("invalid_format", "Must be a date, like 2026-01-31.");
    case "datetime":
      if (isDate(value) || toUtc(value) !== undefined) return { value };
      return problem("invalid_format", "Must be a time with an offset, like 2026-01-31T09:30:00Z, or a date in UTC.");
    case "tags":
    case "number":
    case "boolean":
      return problem("invalid_type", `Must be a ${kind}.`);
  }
}

export function readValue(field: FilterField, op: FilterOp, value: unknown): ReadValue {
  if (field.kind === "number")
    return typeof value === "number" && Number.isFinite(value)
      ? { value }
      : problem("invalid_type", "Must be a number.");
  if (field.kind === "boolean")
    return typeof value === "boolean" ? { value } : problem("invalid_type", "Must be true or false.");
  return typeof value === "string" ? readString(field, op, value.trim()) : problem("invalid_type", "Must be a string.");
}

/** A date means a whole day in UTC. Returns the first and last ms of the day. */
export function timeSpan(value: string): readonly [number, number] {
  const from = Date.parse(value);
  return isDate(value) ? [from, from + DAY_MS - 1] : [from, from];
}

export const lastDays = (days: number, now: number): readonly [number, number] => [now - days * DAY_MS, now];
