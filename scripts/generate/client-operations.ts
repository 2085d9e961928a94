import * as z from "zod";
import { pascalCase } from "../../src/shared/text/text.ts";
import { hasOwn } from "../../src/shared/security/own.ts";

const schema = z.record(z.string(), z.unknown());
const reference = z.object({ $ref: z.string() }).transform(({ $ref }) => $ref.split("/").pop() ?? "");
const parameter = z.object({ in: z.string(), name: z.string(), required: z.boolean().default(false), schema });
const content = z.record(z.string(), z.object({ schema: z.unknown() }));

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(""),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.default({}), headers: z.looseObject({}).default({}) })),
  "x-pagination": z
    .object({ items: z.string(), parameter: z.string(), next: z.string(), more: z.string().optional() })
    .optional(),
});

const apiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema), parameters: z.record(z.string(), parameter) }),
});

type Schema = z.output<typeof schema>;
type ApiDocument = z.output<typeof apiDocument>;
type Operation = z.output<typeof operation>;

interface Input {
  type: string;
  required: boolean;
}

export interface ClientOperation {
  name: string;
  method: string;
  path: string;
  docs: string;
  isKeyed: boolean;
  isConditional: boolean;
  /** True if the response has an `ETag`. */
  isRevisioned: boolean;
  query: Input | null;
  body: Input | null;
  takesBytes: boolean;
  /** Null if the response is a file. */
  answer: string | null;
  list: (NonNullable<Operation["x-pagination"]> & { itemType: string }) | null;
}

const nameIn = (value: unknown): string | null => reference.safeParse(value).data ?? null;

/**
 * Removes discriminators. Each member of a union already has a field with a `const`, such as `type: "text"`. For a
 * discriminator, the generator would add the same field again.
 */
const withoutDiscriminators = (text: string): unknown =>
  JSON.parse(text, (key, value) => (key === "discriminator" ? undefined : value));

/**
 * Returns the operations, and the schemas for the types of their requests and responses. The OpenAPI document has no
 * schema for a whole query, so this function adds one per operation, such as `MessagesListQuery`.
 */
export function readOperations(json: unknown): { operations: ClientOperation[]; schemas: Record<string, Schema> } {
  const document = apiDocument.parse(withUnions(withoutDiscriminators(JSON.stringify(json))));
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]): ClientOperation => {
      const { operationId: name, summary, description, requestBody } = declared;
      const parameters = declared.parameters.flatMap((each) =>
        typeof each === "string" ? (document.components.parameters[each] ?? []) : each,
      );
      const body = nameIn(requestBody?.content["application/json"]?.schema);
      const answer = answerOf(declared);
      const pagination = declared["x-pagination"];
      const query = querySchema(parameters.filter((each) => each.in === "query"));
      if (query) schemas[`${pascalCase(name)}Query`] = query;
      return {
        name,
        method: method.toUpperCase(),
        path,
        docs: `${summary}.\n\n${description}`.trim(),
        isKeyed: parameters.some((each) => each.name === "Idempotency-Key"),
        isConditional: parameters.some((each) => each.name === "If-Match"),
        isRevisioned: Object.hasOwn(successOf(declared)?.headers ?? {}, "ETag"),
        query: query && { type: `${pascalCase(name)}Query`, required: query.required.length > 0 },
        body: body === null ? null : { type: body, required: requestBody?.required === true },
        takesBytes: requestBody?.content["*/*"] !== undefined,
        answer,
        list: pagination && answer ? { ...pagination, itemType: itemType(schemas, answer, pagination.items) } : null,
      };
    }),
  );
  return { operations, schemas };
}

function querySchema(parameters: ApiDocument["components"]["parameters"][string][]) {
  if (parameters.length === 0) return null;
  const properties = Object.fromEntries(parameters.map((each) => [each.name, each.schema]));
  return { type: "object", properties, required: parameters.filter((each) => each.required).map(({ name }) => name) };
}

const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];

function answerOf(declared: Operation): string | null {
  const { operationId } = declared;
  const json = successOf(declared)?.content["application/json"];
  const name = nameIn(json?.schema);
  if (json && name === null) throw new Error(`The response of ${operationId} is not a component.`);
  return name;
}

/**
 * Returns the TypeScript type of the items in a list. If the items have no component, this is an
 * indexed type, such as `ContactPage["contacts"][number]`.
 */
function itemType(schemas: Record<string, Schema>, answer: string, items: string): string {
  const page = z.object({ properties: z.record(z.string(), schema) }).parse(schemas[answer]);
  return nameIn(page.properties[items]?.["items"]) ?? `${answer}["${items}"][number]`;
}

// Some requests must contain one of several fields (src/http/request/choices.ts). In the OpenAPI document,
// these fields are optional, and a `oneOf` or `anyOf` lists the required fields of each alternative. The functions
// below turn the object into a union with one member per alternative, so that TypeScript reports a missing field.

const json = z.record(z.string(), z.unknown());
type Json = z.output<typeof json>;

const alternatives = z
  .array(z.object({ properties: z.record(z.string(), json), required: z.array(z.string()) }))
  .min(1);
const choice = z.union([z.strictObject({ oneOf: alternatives }), z.strictObject({ anyOf: alternatives })]);
const nullable = z.object({ anyOf: z.array(json) });

const objectWithChoices = z.looseObject({
  properties: z.record(z.string(), json),
  required: z.array(z.string()).default([]),
  oneOf: alternatives.optional(),
  anyOf: alternatives.optional(),
  allOf: z.array(choice).optional(),
});

/** A schema that no value matches. The generator renders it as `never`. */
const NEVER: Json = { enum: [] };

/**
 * Returns the schema of a field in one alternative. `own` is the field's schema in the object, and `by` is the
 * alternative's schema. Usually `by` is empty and the result is `own`. If `by` contains only a type, such as
 * `string` without null, the result is the member of `own` with this type.
 */
function narrowed(own: Json = {}, by: Json = {}): Json {
  const [keyword, ...others] = Object.keys(by);
  if (keyword === undefined) return own;
  if (keyword !== "type" || others.length > 0) return by;
  const description = own["description"];
  const found = nullable.safeParse(own).data?.anyOf.find(({ type }) => type === by["type"]) ?? by;
  return description === undefined ? found : { description, ...found };
}

function asUnions(object: z.output<typeof objectWithChoices>): Json {
  const { properties, required, oneOf, anyOf, allOf = [], ...rest } = object;
  const choices = [...allOf, ...(oneOf ? [{ oneOf }] : []), ...(anyOf ? [{ anyOf }] : [])];
  const chosen = new Set<string>();
  const unions = choices.map((each) => {
    const isExact = hasOwn(each, "oneOf");
    const options = hasOwn(each, "oneOf") ? each.oneOf : each.anyOf;
    const names = [...new Set(options.flatMap((option) => Object.keys(option.properties)))];
    if (isExact) for (const name of names) chosen.add(name);
    const variants = options.map((option) => ({
      type: "object",
      properties: Object.fromEntries(
        names.flatMap((name) => {
          if (Object.hasOwn(option.properties, name))
            return [[name, narrowed(properties[name], option.properties[name])]];
          return isExact ? [[name, NEVER]] : [];
        }),
      ),
      required: option.required,
    }));
    // If a value matches no member of a union, TypeScript's error describes the last member. The document lists the
    // usual alternative first, so the order is reversed.
    return { anyOf: variants.toReversed() };
  });
  const isShared = (name: string) => !chosen.has(name);
  const shared = Object.entries(properties).filter(([name]) => isShared(name));
  return {
    ...rest,
    properties: Object.fromEntries(shared),
    required: required.filter(isShared),
    allOf: unions,
  };
}

/** Turns all objects with choices into unions, including nested objects. */
function withUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnions);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withUnions(each)]));
  const parsed = objectWithChoices.safeParse(inner);
  const isChoice = parsed.success && (parsed.data.oneOf ?? parsed.data.anyOf ?? parsed.data.allOf) !== undefined;
  return isChoice ? asUnions(parsed.data) : inner;
}
