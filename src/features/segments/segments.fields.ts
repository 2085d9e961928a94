// Which fields a filter may ask about, what may be asked of each, and how the values asked for are read. Pure.
import { iso31661Alpha2ToAlpha3 } from "iso-3166";
import * as z from "zod";
import { DAY_MS } from "../../shared/durations.ts";
import { fold } from "../../shared/folding.ts";
import { parsePhone } from "../../shared/phone.ts";
import type { Definition, FieldType } from "../custom-fields/custom-fields.values.ts";
import { quote } from "../../shared/text.ts";

const equality = ["eq", "ne", "in", "not_in"] as const;
const presence = ["is_set", "is_not_set"] as const;
const order = ["gt", "gte", "lt", "lte", "between"] as const;
const parts = ["contains", "starts_with"] as const;
const membership = ["has_all", "has_any", "has_none"] as const;

export const ops = [...equality, ...parts, ...order, "within_days", ...membership, ...presence] as const;

export type Op = (typeof ops)[number];

/** What may be asked, by what a field holds. Every contact's field and every type of custom field is one of these. */
export const opsOf = {
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
} as const satisfies Record<string, readonly Op[]>;

export type Kind = keyof typeof opsOf;

/** What the reading of values must know of a field. */
export interface Field {
  kind: Kind;
  options: readonly string[];
}

const statuses = ["hot", "warm", "active", "cold", "new"];
const stages = ["lead", "prospect", "negotiation", "customer", "churned"];
const of = (kind: Kind, options: readonly string[] = []): Field => ({ kind, options });

/** A contact's own fields. Archived contacts are in no segment, so `is_archived` is none of them. */
export const ownFields = {
  id: of("id"),
  name: of("text"),
  phone: of("phone"),
  email: of("text"),
  company: of("text"),
  status: of("choice", statuses),
  lifecycle_stage: of("choice", stages),
  source: of("text"),
  address_as: of("text"),
  is_unsubscribed: of("boolean"),
  marketing_opt_out: of("boolean"),
  tags: of("tags"),
  created_at: of("datetime"),
  updated_at: of("datetime"),
  last_inbound_at: of("datetime"),
} satisfies Record<string, Field>;

export type OwnField = keyof typeof ownFields;

export const isOwnField = (name: string): name is OwnField => Object.hasOwn(ownFields, name);

const kinds = {
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
} as const satisfies Record<FieldType, Kind>;

export const kindOf = ({ type }: Definition): Kind => kinds[type];

export type Scalar = string | number | boolean;

export interface Problem {
  code: string;
  message: string;
}

type Read = { value: Scalar } | { problem: Problem };

const MAX_TEXT = 500;

const refuse = (code: string, message: string): Read => ({ problem: { code, message } });

function readText(value: string): Read {
  if (fold(value) === "") return refuse("too_small", "May not be empty.");
  return Array.from(value).length > MAX_TEXT ? refuse("too_big", `At most ${MAX_TEXT} characters.`) : { value };
}

const PART_OF_PHONE = /^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/;

function readPhone(op: Op, value: string): Read {
  if (op === "contains" || op === "starts_with") {
    const isPart = PART_OF_PHONE.test(value) && value.length <= 100;
    return isPart ? { value } : refuse("invalid_value", "Digits of a number, with or without punctuation.");
  }
  const phone = value.length <= 100 ? parsePhone(value) : null;
  if (phone !== null) return { value: phone };
  return refuse("invalid_phone", "Give the number in international format, like +14155550100.");
}

function readOption(options: readonly string[], value: string): Read {
  if (options.includes(value)) return { value };
  const some = options.slice(0, 20).map((option) => JSON.stringify(option));
  const known = [...some, ...(options.length > some.length ? [`… (${options.length} in all)`] : [])].join(", ");
  return refuse("invalid_value", `${quote(value)} is not an option. One of: ${known || "none"}.`);
}

const isCountry = (value: string) =>
  /^[a-z]{2}$/i.test(value) && Object.hasOwn(iso31661Alpha2ToAlpha3, value.toUpperCase());
const isDate = (value: string) => z.iso.date().safeParse(value).success;
/** Offsets may carry a time out of the years that are written with four digits, which then no longer sort as text. */
const isMoment = (value: string) =>
  z.iso.datetime({ offset: true }).safeParse(value).success && /^\d/.test(new Date(value).toISOString());

function readString({ kind, options }: Field, op: Op, value: string): Read {
  switch (kind) {
    case "text":
      return readText(value);
    case "phone":
      return readPhone(op, value);
    case "id":
      return value !== "" && value.length <= 100 ? { value } : refuse("invalid_value", "1 to 100 characters.");
    case "choice":
    case "multi_choice":
      return readOption(options, value);
    case "country":
      return isCountry(value)
        ? { value: value.toUpperCase() }
        : refuse("invalid_value", "A country code of ISO 3166-1, like BR.");
    case "date":
      return isDate(value) ? { value } : refuse("invalid_format", "A date, like 2026-01-31.");
    case "datetime":
      if (isDate(value) || isMoment(value)) return { value };
      return refuse(
        "invalid_format",
        "A time with its offset, like 2026-01-31T09:30:00Z, or a date, which is a day in UTC.",
      );
    case "tags":
    case "number":
    case "boolean":
      return refuse("invalid_type", `A ${kind}.`);
  }
}

/** One value as it is stored, or why it does not fit. Tags are looked up by the caller. */
export function readValue(field: Field, op: Op, value: unknown): Read {
  if (field.kind === "number")
    return typeof value === "number" && Number.isFinite(value) ? { value } : refuse("invalid_type", "A number.");
  if (field.kind === "boolean")
    return typeof value === "boolean" ? { value } : refuse("invalid_type", "true or false.");
  return typeof value === "string" ? readString(field, op, value.trim()) : refuse("invalid_type", "A text.");
}

/** First and last ms of what a date or a time names. */
export function spanOf(value: string): readonly [number, number] {
  const from = Date.parse(value);
  return isDate(value) ? [from, from + DAY_MS - 1] : [from, from];
}

/** The last `days` days up to `now`, in ms. */
export const lastDays = (days: number, now: number): readonly [number, number] => [now - days * DAY_MS, now];
