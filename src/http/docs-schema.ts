// The parts of an OpenAPI document that the reference page shows, and schemas in words.
import * as z from "zod";

export interface Schema {
  $ref?: string | undefined;
  title?: string | undefined;
  type?: string | string[] | undefined;
  description?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  items?: Schema | undefined;
  additionalProperties?: boolean | Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  examples?: unknown[] | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    title: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

/** Without JSON: a file. */
const content = z.object({ "application/json": z.object({ schema, example: z.unknown().optional() }).optional() });

const parameter = z.object({ in: z.string(), name: z.string(), required: z.boolean().default(false), schema });

const reference = z.object({ $ref: z.string(), name: z.undefined().optional() });

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});

type Parameter = z.infer<typeof parameter>;
export type Operation = Omit<z.infer<typeof operation>, "parameters"> & { parameters: Parameter[] };

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** The document, with parameters in the place of references to them. */
export const documentShape = z
  .object({
    info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({
      schemas: z.record(z.string(), schema),
      parameters: z.record(z.string(), parameter),
      securitySchemes: z.record(z.string(), z.object({ description: z.string() })),
    }),
  })
  .transform(({ paths, ...document }) => {
    const shared = new Map(Object.entries(document.components.parameters));
    const resolve = (given: z.infer<typeof operation>): Operation => ({
      ...given,
      parameters: given.parameters.flatMap((sent) =>
        sent.name === undefined ? (shared.get(sent.$ref.split("/").at(-1) ?? "") ?? []) : [sent],
      ),
    });
    return { ...document, paths: mapValues(paths, (operations) => mapValues(operations, resolve)) };
  });

export type Documentation = z.infer<typeof documentShape>;

export interface Field {
  name: string;
  depth: number;
  type: string;
  required: boolean;
  /** Bounds, choices and defaults, a phrase each. */
  limits: string[];
  description: string | undefined;
}

const MAX_DEPTH = 6;

/** Of more than these, the name says where to look. */
const MAX_CHOICES = 5;

/** Reads the schemas of one document. */
export class SchemaReader {
  constructor(private readonly schemas: Record<string, Schema>) {}

  resolve(given: Schema): Schema {
    const name = given.$ref?.split("/").at(-1);
    return name === undefined ? given : (this.schemas[name] ?? {});
  }

  /** The fields of an object, those of objects and arrays within it after their parent. */
  fieldsOf(given: Schema, depth = 0): Field[] {
    const { properties = {}, required = [] } = this.resolve(given);
    return Object.entries(properties).flatMap(([name, property]) => {
      const field: Field = {
        name,
        depth,
        type: this.typeOf(property),
        required: required.includes(name),
        limits: this.limitsOf(property),
        description: property.description ?? this.resolve(property).description,
      };
      return [field, ...(depth < MAX_DEPTH ? this.inside(property, depth + 1) : [])];
    });
  }

  private inside(given: Schema, depth: number): Field[] {
    const { items, anyOf, oneOf } = this.resolve(given);
    if (items !== undefined) return this.inside(items, depth);
    const choices = (anyOf ?? oneOf ?? []).map((choice) => this.resolve(choice));
    const objects = choices.filter(({ properties }) => Object.keys(properties ?? {}).length > 0);
    if (objects.length === 1 && objects[0]?.title === undefined)
      return objects.flatMap((one) => this.fieldsOf(one, depth));
    if (objects.length === 0) return this.fieldsOf(given, depth);
    if (objects.length > MAX_CHOICES) return [];
    return objects.flatMap((one) => [
      { name: one.title ?? "or", depth, type: "one of", required: false, limits: [], description: one.description },
      ...this.fieldsOf(one, depth + 1),
    ]);
  }

  /** The `details` of each code of a refusal. */
  refusals(given: Schema): { code: string; details: Field[]; type: string; description: string | undefined }[] {
    const refusal = this.resolve(this.resolve(given).properties?.["error"] ?? {});
    return (refusal.oneOf ?? []).map((choice) => {
      const { code, details = {} } = this.resolve(choice).properties ?? {};
      const type = this.typeOf(details);
      const inner = { type: "object", properties: { details } };
      return {
        code: String(code?.const),
        type,
        details: this.fieldsOf(inner).slice(1),
        description: details.description,
      };
    });
  }

  /** `string`, `array of Contact`, `object or null`. */
  typeOf(given: Schema): string {
    const { type, items, anyOf, oneOf, additionalProperties, properties } = this.resolve(given);
    const name = given.$ref?.split("/").at(-1);
    if (name !== undefined) return name;
    if (items !== undefined) return `array of ${this.typeOf(items)}`;
    if (type === "object" && properties === undefined && typeof additionalProperties === "object")
      return Object.keys(additionalProperties).length > 0 ? `object of ${this.typeOf(additionalProperties)}` : "object";
    if (type !== undefined) return [type].flat().join(" or ");
    const choices = (anyOf ?? oneOf ?? []).map((choice) => this.typeOf(choice));
    return [...new Set(choices)].join(" or ") || "any";
  }

  limitsOf(given: Schema): string[] {
    const own = this.resolve(given);
    const nullable = (own.anyOf ?? own.oneOf ?? []).filter(({ type }) => type !== "null");
    const inner = nullable.length === 1 && own.type === undefined ? this.resolve(nullable[0] ?? {}) : own;
    return [
      inner.const === undefined ? "" : `always ${JSON.stringify(inner.const)}`,
      inner.enum === undefined ? "" : inner.enum.map((value) => String(value)).join(" | "),
      range(inner.minLength, inner.maxLength, "characters"),
      range(inner.minimum, inner.maximum, ""),
      range(inner.minItems, inner.maxItems, "entries"),
      inner.format ?? "",
      inner.pattern === undefined || inner.pattern.length > 40 || inner.format !== undefined ? "" : inner.pattern,
      own.default === undefined ? "" : `default ${JSON.stringify(own.default)}`,
    ].filter((limit) => limit !== "");
  }

  /** A value that fits. */
  exampleOf(given: Schema, name = ""): unknown {
    const own = this.resolve(given);
    if (own.examples !== undefined) return own.examples[0];
    if (own.const !== undefined) return own.const;
    if (own.enum !== undefined) return own.enum[0];
    if (own.items !== undefined) return [this.exampleOf(own.items, name)];
    const [choice] = own.anyOf ?? own.oneOf ?? [];
    if (choice !== undefined) return this.exampleOf(choice, name);
    const type = [own.type ?? []].flat()[0];
    if (type === "object") {
      const properties = Object.entries(own.properties ?? {});
      return Object.fromEntries(properties.map(([key, property]) => [key, this.exampleOf(property, key)]));
    }
    if (type === "boolean") return false;
    if (type === "integer" || type === "number") return Math.max(own.minimum ?? 0, 1);
    return type === "string" ? exampleText(own, name) : null;
  }
}

function exampleText({ format }: Schema, name: string): string {
  if (format === "date-time") return "2026-12-01T09:30:00.000Z";
  if (format === "uri" || name.endsWith("_url")) return "https://example.com";
  if (name === "id" || name.endsWith("_id")) return "…";
  if (["to", "from", "phone"].includes(name)) return "+14155550100";
  return name === "" ? "…" : `A ${name.replaceAll("_", " ")}`;
}

const isBound = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 2 ** 53 - 1;

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const words = (text: string) => `${text} ${unit}`.trim();
  if (isBound(min) && isBound(max)) return words(`${min}–${max}`);
  if (isBound(max)) return words(`at most ${max}`);
  return isBound(min) && min > 0 ? words(`at least ${min}`) : "";
}
