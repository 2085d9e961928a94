import { iso31661Alpha2ToAlpha3 } from "iso-3166";
import * as z from "zod";
import type { Fault } from "../../shared/errors.ts";
import { isEmail } from "../../shared/text/email.ts";
import { parsePhone } from "../../shared/text/phone.ts";
import { quote } from "../../shared/text/text.ts";

export const fieldTypes = [
  "text",
  "number",
  "boolean",
  "date",
  "datetime",
  "select",
  "multi_select",
  "country",
  "url",
  "email",
  "phone",
] as const;

export type FieldType = (typeof fieldTypes)[number];

export const selectTypes: readonly FieldType[] = ["select", "multi_select"];

export interface FieldDefinition {
  /**
   * Contacts store values under this number and not under the key. A number is never used again, so a new field with an
   * old key does not get the old values.
   */
  number: number;
  key: string;
  type: FieldType;
  options: string[];
  /** Removed options that contacts can still have as values. Reads omit such values. */
  removed: string[];
}

const MAX_TEXT = 2000;
const MAX_URL = 2000;
const MAX_EMAIL = 254;
const MAX_PHONE = 100;
const MAX_QUOTED_OPTIONS = 20;

export const isDate = (value: string): boolean => z.iso.date().safeParse(value).success;

export const isCountryCode = (value: string): boolean =>
  /^[a-z]{2}$/i.test(value) && Object.hasOwn(iso31661Alpha2ToAlpha3, value.toUpperCase());

/**
 * Converts a time with an offset to UTC. Returns undefined if the year in UTC does not have four digits, because such a
 * time would not sort correctly as text.
 */
export function toUtc(value: string): string | undefined {
  if (!z.iso.datetime({ offset: true }).safeParse(value).success) return undefined;
  const utc = new Date(value).toISOString();
  return /^\d{4}-/.test(utc) ? utc : undefined;
}

const isWebAddress = (value: string) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);

function quoteOptions(options: readonly string[]): string {
  const quoted = options.slice(0, MAX_QUOTED_OPTIONS).map((option) => JSON.stringify(option));
  const more = options.length > MAX_QUOTED_OPTIONS ? ` … (${options.length} in all)` : "";
  return quoted.join(", ") + more;
}

interface TypeRules {
  expects(options: readonly string[]): string;
  read(value: unknown, options: readonly string[]): unknown;
}

const textRules = (
  expects: TypeRules["expects"],
  read: (value: string, options: readonly string[]) => string | undefined,
): TypeRules => ({
  expects,
  read: (value, options) => {
    const trimmed = typeof value === "string" ? value.trim() : "";
    return trimmed === "" ? undefined : read(trimmed, options);
  },
});

const valueIf = (value: string, fits: boolean) => (fits ? value : undefined);

const typeRules: Record<FieldType, TypeRules> = {
  text: textRules(
    () => `a text of 1 to ${MAX_TEXT} characters`,
    (value) => valueIf(value, Array.from(value).length <= MAX_TEXT),
  ),
  number: {
    expects: () => "a number",
    read: (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined),
  },
  boolean: {
    expects: () => "true or false",
    read: (value) => (typeof value === "boolean" ? value : undefined),
  },
  date: textRules(
    () => "a valid date, like 2026-01-31",
    (value) => valueIf(value, isDate(value)),
  ),
  datetime: textRules(() => "a time with an offset, like 2026-01-31T09:30:00Z", toUtc),
  select: textRules(
    (options) => `one of ${quoteOptions(options)}`,
    (value, options) => valueIf(value, options.includes(value)),
  ),
  multi_select: {
    expects: (options) => `a list of unique options out of ${quoteOptions(options)}`,
    read: (value, options) => {
      if (!Array.isArray(value)) return undefined;
      const chosen = value.flatMap((option: unknown) => (typeof option === "string" ? [option.trim()] : []));
      const fits = chosen.length === value.length && chosen.every((option) => options.includes(option));
      if (!fits || new Set(chosen).size < chosen.length) return undefined;
      return chosen.length === 0 ? null : chosen;
    },
  },
  country: textRules(
    () => "an ISO 3166-1 country code, like BR",
    (value) => valueIf(value.toUpperCase(), isCountryCode(value)),
  ),
  url: textRules(
    () => `a web address that starts with http:// or https://, of at most ${MAX_URL} characters`,
    (value) => valueIf(value, Array.from(value).length <= MAX_URL && isWebAddress(value)),
  ),
  email: textRules(
    () => `an email address of at most ${MAX_EMAIL} characters`,
    (value) => valueIf(value, isEmail(value)),
  ),
  phone: textRules(
    () => "a phone number in international format, like +14155550100",
    (value) => (value.length <= MAX_PHONE ? (parsePhone(value) ?? undefined) : undefined),
  ),
};

const jsonTypes: Partial<Record<FieldType, string>> = { number: "number", boolean: "boolean", multi_select: "object" };

function valueFault({ key, type, options }: FieldDefinition, value: unknown): Fault {
  return {
    path: `custom_fields.${key}`,
    code: typeof value === (jsonTypes[type] ?? "string") ? "invalid_value" : "invalid_type",
    message: `Must be ${typeRules[type].expects(options)}.`,
  };
}

const unknownKeyFault = (key: string): Fault => ({
  path: `custom_fields.${key}`,
  code: "unknown_field",
  message: `Custom field ${quote(key)} does not exist. Check its spelling, or create it.`,
});

/** Returns the values by field number. A value is null if it is to be cleared. */
export function checkCustomFieldValues(
  definitions: readonly FieldDefinition[],
  input: Record<string, unknown>,
): { values: Record<string, unknown>; faults: Fault[] } {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [key, sent] of Object.entries(input)) {
    const definition = byKey.get(key);
    if (definition === undefined) {
      faults.push(unknownKeyFault(key));
      continue;
    }
    const value = sent === null ? null : typeRules[definition.type].read(sent, definition.options);
    if (value === undefined) faults.push(valueFault(definition, sent));
    else values[String(definition.number)] = value;
  }
  return { values, faults };
}
