import * as z from "zod";
import { pascalCase } from "../../src/shared/text/text.ts";
import { withUnions } from "./choices.ts";

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
  /** Whether the response has an ETag. */
  isRevisioned: boolean;
  query: Input | null;
  body: Input | null;
  takesBytes: boolean;
  /** The response's type; null for bytes. */
  answer: string | null;
  list: (NonNullable<Operation["x-pagination"]> & { itemType: string }) | null;
}

const nameIn = (value: unknown): string | null => reference.safeParse(value).data ?? null;

/** Members of a union already have a `const`; the mapping would add a second one. */
const withoutDiscriminators = (text: string): unknown =>
  JSON.parse(text, (key, value) => (key === "discriminator" ? undefined : value));

/** The operations and all their input and output types: the components, and a type for each query. */
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

/** The component in a list, else the type from its path in the response. */
function itemType(schemas: Record<string, Schema>, answer: string, items: string): string {
  const page = z.object({ properties: z.record(z.string(), schema) }).parse(schemas[answer]);
  return nameIn(page.properties[items]?.["items"]) ?? `${answer}["${items}"][number]`;
}
