import fc from "fast-check";
import { fold } from "../../src/shared/text/folding.ts";
import type { FieldDefinition } from "../../src/features/custom-fields/custom-fields.values.ts";
import { customFieldKind, opsByKind, type FilterOp, ownFields } from "../../src/features/segments/segments.fields.ts";

export const NOW = Date.parse("2026-11-20T12:00:00.000Z");

/** The tag "gone" is deleted, but contacts can still have its number. */
export const tags = ["VIP", "Ünïque", "needs'quote", "gone"].map((name, index) => ({ number: index + 1, name }));

const field = (
  number: number,
  type: FieldDefinition["type"],
  options: string[] = [],
  removed: string[] = [],
): FieldDefinition => ({
  number,
  key: `my_${type}`,
  type,
  options,
  removed,
});

export const fields: FieldDefinition[] = [
  field(1, "text"),
  field(2, "number"),
  field(3, "boolean"),
  field(4, "date"),
  field(5, "datetime"),
  field(6, "select", ["gold", "Silver"], ["tin"]),
  field(12, "multi_select", ["red", "green", "it's"], ["grey"]),
  field(8, "country"),
  field(9, "url"),
  field(10, "email"),
  field(11, "phone"),
];

export type Value = string | number | boolean | string[] | null;

/** A generated contact. Times in `own` and `inbound` are Unix times in milliseconds. */
export interface Model {
  own: Record<string, Value>;
  tags: number[];
  custom: Record<string, Value>;
  inbound: number[];
}

const texts = [
  "Ana",
  "ÁNA",
  "ana maría",
  "Straße",
  "STRASSE 5",
  "50% off_now",
  'say "hi"',
  "O'Neil",
  "Đặng ı",
  "😀 party",
  "１２３",
];
const phones = ["+5511987654321", "+551187654321", "+14155550100", "+5215512345678", "+525512345678", "+442079460958"];
const dates = ["2026-11-20", "2026-11-19", "2026-11-13", "2026-11-21", "2020-02-29", "1999-12-31"];
const times = [
  ...dates.map((date) => `${date}T12:00:00.000Z`),
  "2026-11-20T00:00:00.000Z",
  "2026-11-19T23:59:59.999Z",
  "2026-11-20T12:00:00.001Z",
];
const countries = ["BR", "US", "DE"];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const writtenText = text.map((value) => value.trim()).filter((value) => fold(value) !== "" && !value.includes("\0"));
/** SQLite loses digits of some of these numbers when it converts them to text. */
const awkward = [0.1, 1 / 3, 0.30000000000000004, 1e21, 9007199254740991, 123456789012345680000, 5e-324, -1.5e-7];
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(...awkward),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const moments = times.map((time) => Date.parse(time));
const moment = fc.constantFrom(...moments);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

export const contact: fc.Arbitrary<Model> = fc.record({
  own: fc.record({
    name: maybe(writtenText),
    phone: maybe(fc.constantFrom(...phones)),
    email: maybe(fc.constantFrom("Ana@Example.com", "o'neil@example.com", "b@x.org")),
    company: maybe(writtenText),
    status: fc.constantFrom("hot", "warm", "new"),
    lifecycle_stage: fc.constantFrom("lead", "customer"),
    source: fc.constantFrom("api", "Ímport", "webhook"),
    address_as: maybe(writtenText),
    is_unsubscribed: fc.boolean(),
    marketing_opt_out: fc.boolean(),
    created_at: moment,
    updated_at: moment,
  }),
  tags: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4)),
  custom: fc.record({
    my_text: maybe(writtenText),
    my_number: maybe(number),
    my_boolean: maybe(fc.boolean()),
    my_date: maybe(fc.constantFrom(...dates)),
    my_datetime: maybe(fc.constantFrom(...times)),
    my_select: maybe(fc.constantFrom("gold", "Silver", "tin")),
    my_multi_select: maybe(fc.uniqueArray(fc.constantFrom("red", "green", "it's", "grey"), { minLength: 1 })),
    my_country: maybe(fc.constantFrom(...countries)),
    my_url: maybe(fc.constantFrom("https://example.com/Ana", "http://x.org")),
    my_email: maybe(fc.constantFrom("Ana@Example.com", "b@x.org")),
    my_phone: maybe(fc.constantFrom(...phones)),
  }),
  inbound: fc.array(moment, { maxLength: 2 }),
});

export interface ModelField {
  kind: keyof typeof opsByKind;
  options: readonly string[];
}

export const modelFields: Record<string, ModelField> = {
  ...ownFields,
  ...Object.fromEntries(
    fields.map((custom) => [`custom_fields.${custom.key}`, { kind: customFieldKind(custom), options: custom.options }]),
  ),
};

const part = fc
  .tuple(fc.constantFrom(...texts), fc.nat(4), fc.integer({ min: 1, max: 4 }))
  .map(([whole, start, length]) =>
    Array.from(whole)
      .slice(start, start + length)
      .join(""),
  )
  .filter((value) => fold(value) !== "");

function sentValue(name: string, { kind, options }: ModelField, op: FilterOp): fc.Arbitrary<unknown> {
  switch (kind) {
    case "text":
      if (name.endsWith("email")) return fc.constantFrom("ana@example.com", "ANA", "@", "b@x.org");
      if (name.endsWith("url")) return fc.constantFrom("HTTPS://EXAMPLE.com/ana", "x.org", "http");
      if (name === "source") return fc.constantFrom("api", "IMPORT", "hook");
      return op === "contains" || op === "starts_with" ? fc.oneof(part, writtenText) : writtenText;
    case "phone":
      if (op === "contains" || op === "starts_with") return fc.constantFrom("5511", "+55 (11)", "0100", "1", "415-555");
      return fc.constantFrom(...phones, "+1 (415) 555-0100");
    case "id":
      return fc.constantFrom("ct_0", "ct_1", "ct_2");
    case "choice":
    case "multi_choice":
      return fc.constantFrom(...options);
    case "country":
      return fc.constantFrom(...countries, "FR");
    case "number":
      return number;
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.constantFrom(...dates);
    case "datetime":
      return fc.constantFrom(...dates, ...times, "2026-11-20T09:00:00-03:00", "2026-11-13T12:00:00Z");
    case "tags":
      return fc.constantFrom("vip", "ÜNÏQUE", "needs'quote");
  }
}

export interface Condition {
  field: string;
  op: FilterOp;
  value?: unknown;
}

export interface Group {
  match: "all" | "any";
  conditions: Condition[];
}

export interface Filter {
  match: "all" | "any";
  conditions: (Condition | Group)[];
}

const rising = ([a, b]: unknown[]): unknown[] =>
  (typeof a === "number" ? a <= Number(b) : Date.parse(String(a)) <= Date.parse(String(b))) ? [a, b] : [b, a];

const condition: fc.Arbitrary<Condition> = fc.constantFrom(...Object.entries(modelFields)).chain(([name, about]) =>
  fc.constantFrom<FilterOp>(...opsByKind[about.kind]).chain((op): fc.Arbitrary<Condition> => {
    const value = sentValue(name, about, op);
    if (op === "is_set" || op === "is_not_set") return fc.constant({ field: name, op });
    if (op === "within_days") return fc.constantFrom(1, 7, 3650).map((days) => ({ field: name, op, value: days }));
    if (op === "between") return fc.tuple(value, value).map((pair) => ({ field: name, op, value: rising(pair) }));
    const isList = op === "in" || op === "not_in" || op.startsWith("has_");
    return (isList ? fc.array(value, { minLength: 1, maxLength: 3 }) : value).map((one) => ({
      field: name,
      op,
      value: one,
    }));
  }),
);

const match = fc.constantFrom<"all" | "any">("all", "any");

export const filter: fc.Arbitrary<Filter> = fc
  .record({
    match,
    leaves: fc.array(condition, { minLength: 1, maxLength: 4 }),
    group: maybe(fc.record({ match, conditions: fc.array(condition, { minLength: 1, maxLength: 3 }) })),
  })
  .map(({ match: how, leaves, group }) => ({ match: how, conditions: group === null ? leaves : [...leaves, group] }));
