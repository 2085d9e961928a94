import * as z from "zod";
import { isEmail, MAX_EMAIL } from "../shared/text/email.ts";
import type { IdPrefix } from "../shared/ids.ts";
import { invalidPhoneMessage, parsePhone } from "../shared/text/phone.ts";

/** Returns the same schema for the same limit. With fewer schemas, a Worker starts faster. */
function memoized<T>(make: (of: number) => T): (of: number) => T {
  const made = new Map<number, T>();
  return (of) => {
    const schema = made.get(of) ?? make(of);
    made.set(of, schema);
    return schema;
  };
}

const codePoints = (value: string) => Array.from(value).length;

function bounded(schema: z.ZodString, max: number) {
  return schema
    .refine((value) => value.trim() !== "", { message: "Must not be empty.", params: { code: "too_small" } })
    .refine((value) => codePoints(value) <= max, {
      message: `Must have at most ${max} characters.`,
      params: { code: "too_big" },
    })
    .meta({ minLength: 1, maxLength: max });
}

/**
 * Matches texts without a visible character, for example only Hangul fillers or braille blanks (`\u2800`). Texts with
 * NUL do not match, because another check reports them.
 */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}[\p{Cc}--\0]\u2800]*$/v;

export const visibleText = (schema: z.ZodString, max: number) =>
  bounded(schema, max).refine((value) => value === "" || !INVISIBLE.test(value), {
    message: "Must contain at least one visible character.",
    params: { code: "invalid_characters" },
  });

export const boundedText = memoized((max) => visibleText(z.string().trim(), max));

const MAX_SEARCH = 100;

/** Treats an empty search text as missing, because a form submits its fields even if they are empty. */
export const searchParam = z
  .string()
  .trim()
  .transform((value) => (value === "" ? undefined : value))
  .pipe(boundedText(MAX_SEARCH).optional())
  .optional()
  .meta({ override: { maxLength: MAX_SEARCH } });

export const recordId = boundedText(100);

export const verbatim = memoized((max) => bounded(z.string(), max));

export const emailAddress = () =>
  z
    .string()
    .trim()
    .max(MAX_EMAIL)
    .refine(isEmail, { message: "Must be an email address, like ada@example.com.", params: { code: "invalid_format" } })
    .meta({ format: "email", override: { examples: ["ada@example.com"] } });

export const documentedAs = (...names: [string, ...string[]]) => ({
  override({ jsonSchema }: { jsonSchema: object }) {
    for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword);
    const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    Object.assign(jsonSchema, references.length === 1 ? references[0] : { oneOf: references });
  },
});

export const rowError = z
  .strictObject({ code: z.string(), message: z.string(), details: z.unknown() })
  .meta(documentedAs("Refusal"));

export const phoneNumber = (options: { requirePlus: boolean }) =>
  z
    .string()
    .max(100)
    .transform((value, issues) => {
      const phone = parsePhone(value, options);
      if (phone !== null) return phone;
      issues.addIssue({ code: "custom", message: invalidPhoneMessage(value), params: { code: "invalid_phone" } });
      return z.NEVER;
    })
    .meta({
      description:
        "International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.",
      override: { examples: ["+14155550100"] },
    });

const UTC_TIME = new RegExp(z.regexes.datetime({}).source.replace("(?:Z)", String.raw`(?:Z|\+00:00)`));

export const utcTime = () =>
  z
    .string()
    .trim()
    .regex(UTC_TIME, "Must be a time in UTC, like 2026-12-01T09:30:00Z.")
    .meta({ format: "date-time", examples: ["2026-12-01T09:30:00Z"] });

/** Idempotency replays that an earlier version stored do not have a revision. */
export const storedRevision = z.number().nullable().default(null);

export const timestamp = z.iso.datetime();

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "Must be a whole number.")
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .meta({
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: "integer", minimum: min, maximum: max });
        delete jsonSchema.pattern; // the pattern describes the digits before they are parsed
      },
    });

const pageLimit = wholeNumber(1, 100);

const limitWithDefault = memoized((fallback) =>
  pageLimit.default(fallback).meta({
    description: "Maximum number of results.",
    override: { default: fallback },
    param: { id: fallback === 20 ? "Limit" : `Limit${fallback}` },
  }),
);

export const limitParam = (fallback = 20) => limitWithDefault(fallback);

export const optionalLimitParam = pageLimit
  .optional()
  .meta({ description: "Maximum number of results. Default: all.", param: { id: "OptionalLimit" } });

export const offsetParam = wholeNumber(0, 10_000);

export const webUrl = (example: string) =>
  z
    .string()
    .max(2000)
    .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), {
      message: `Must be a web address, like ${example}.`,
      params: { code: "invalid_format" },
    });

export const flagParam = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1")
  .meta({
    override: ({ jsonSchema }) => {
      delete jsonSchema.enum;
      jsonSchema.type = "boolean";
    },
  });

export const encodeCursor = (position: readonly (string | number)[]): string =>
  new TextEncoder().encode(JSON.stringify(position)).toBase64({ alphabet: "base64url", omitPadding: true });

const decodeCursor = (text: string): unknown =>
  JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: "base64url" })));

/** Long enough for the cursors that contain a name, which can have 200 characters. */
export const cursorText = z.string().max(1500);

export function cursorParam<T extends z.ZodType>(position: T) {
  return cursorText
    .transform((value, issues): z.output<T> => {
      try {
        return position.parse(decodeCursor(value));
      } catch {
        issues.addIssue({ code: "custom", message: "Must be the unchanged next_cursor of this list." });
        return z.NEVER;
      }
    })
    .optional()
    .meta({ description: "`next_cursor` of the previous page." });
}

export const idPosition = (...prefixes: IdPrefix[]) => z.string().regex(new RegExp(`^(?:${prefixes.join("|")})_`));

export const idCursorParam = (...prefixes: IdPrefix[]) => cursorParam(z.tuple([idPosition(...prefixes)]));

export function page<Row>(rows: Row[], limit: number, positionOf: (row: Row) => readonly (string | number)[]) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null };
}

/**
 * Zod skips a check if other fields have faults. With this option, it always runs, so that one response reports
 * all faults.
 */
export const EVEN_WITH_OTHER_FAULTS = {
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null && !Array.isArray(value),
};
