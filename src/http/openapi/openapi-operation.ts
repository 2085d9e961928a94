import * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Endpoint, FileType } from "../endpoint-spec.ts";
import { successHeaders, type ErrorResponses } from "./openapi-responses.ts";
import { idempotencyKey } from "../request/validate.ts";
import { pascalCase } from "../../shared/text/text.ts";
import { cursorText } from "../fields.ts";

const documentedIdempotencyKey = idempotencyKey.meta({
  description:
    "If you repeat a request with the same key within 24 hours, you receive the first 2xx response again, and the action is not repeated.",
  param: { id: "IdempotencyKey" },
});

const documentedIfMatch = z
  .string()
  .optional()
  .meta({
    description:
      "ETag of the record that you read, several ETags, or `*`. If the record has another ETag, the request changes nothing and returns 412. " +
      "Never send an empty header: the runtime removes it, so the change would apply to any revision.",
    param: { id: "IfMatch" },
    examples: ['"3"'],
  });

const named = (schema: z.ZodType, name: string) =>
  schema.meta()?.id === undefined ? schema.meta({ id: name }) : schema;

export const responseSchema = ({ response }: Endpoint) => z.strictObject({ success: z.literal(true), ...response });

const securityOf = ({ leastRole: role }: Endpoint, security: string) =>
  role === null || role === "operator" ? [{ [security]: [] }] : [{ [security]: [] }, { session: [] }];

const admitted = {
  agent: "Requires any role.",
  admin: "Requires the admin or owner role.",
  owner: "Requires the owner role.",
};

const descriptionOf = ({ description, leastRole: role }: Endpoint): string =>
  role === null || role === "operator" ? description : `${description} ${admitted[role]}`;

const bytesOf = (type: FileType) => ({ [type]: { schema: z.string().meta({ format: "binary" }) } });

const successes: Record<number, string> = {
  206: "The requested range.",
  201: "Created.",
  202: "The request is stored and will be processed soon.",
};

function paginationOf({ shape }: z.ZodObject) {
  const items = Object.keys(shape).find((key) => shape[key] instanceof z.ZodArray);
  if (items !== undefined && Object.hasOwn(shape, "next_cursor"))
    return { "x-pagination": { items, parameter: "cursor", next: "next_cursor" } };
  if (items !== undefined && Object.hasOwn(shape, "next_after"))
    return { "x-pagination": { items, parameter: "after", next: "next_after", more: "has_more" } };
  return {};
}

export function operationOf(
  endpoint: Endpoint,
  security: "apiKey" | "operatorToken",
  {
    parameters,
    errorResponses,
    examples,
  }: { parameters: PathParameters; errorResponses: ErrorResponses; examples: Examples },
): ZodOpenApiOperationObject {
  const isPublic = security === "apiKey";
  const returnsETag = endpoint.returnsETag === true;
  const takesKey = endpoint.takesIdempotencyKey && endpoint.method !== "get";
  const response = responseSchema(endpoint);
  const schema = named(response, `${pascalCase(endpoint.name)}Answer`);
  const example = exampleResponse(endpoint.name, response, examples);
  const success = (status: number) => ({
    description: successes[status] ?? "Done.",
    headers: successHeaders(status, { isPublic, takesKey, returnsETag }),
    content: endpoint.fileType !== null ? bytesOf(endpoint.fileType) : { "application/json": { schema, example } },
  });
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint, security),
    ...paginationOf(response),
    requestParams: {
      path: parameters.of(endpoint.path),
      ...(endpoint.query instanceof z.ZodObject && { query: queryOf(endpoint.query) }),
      ...(takesKey && {
        header: z.object({
          "Idempotency-Key": documentedIdempotencyKey,
          ...(endpoint.acceptsIfMatch && { "If-Match": documentedIfMatch }),
        }),
      }),
    },
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: endpoint.isBodyOptional !== true,
        content: {
          "application/json": {
            schema: named(endpoint.body, `${pascalCase(endpoint.name)}Request`),
            example: endpoint.example,
          },
          ...(endpoint.takesBytes && bytesOf("*/*")),
        },
      },
    }),
    responses: {
      ...(endpoint.otherStatus && { [String(endpoint.otherStatus.status)]: success(endpoint.otherStatus.status) }),
      [String(endpoint.status)]: success(endpoint.status),
      ...(endpoint.fileType === "*/*" && {
        206: success(206),
        304: {
          description: "The file has not changed.",
          headers: successHeaders(304, { isPublic, takesKey, returnsETag }),
        },
      }),
      ...errorResponses.of(endpoint, isPublic),
    },
  };
}

export interface Examples {
  records: Record<string, object>;
  responses: Record<string, Record<string, unknown>>;
}

/** Builds an example for schemas that are a record, contain records, or have only one possible value. */
function exampleOf(schema: z.core.$ZodType, records: Examples["records"]): unknown {
  const record = records[z.globalRegistry.get(schema)?.id ?? ""];
  if (record !== undefined) return record;
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element, records)];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodLazy) return exampleOf(schema.unwrap(), records);
  return schema instanceof z.ZodNullable ? null : undefined;
}

export const exampleResponse = (name: string, { shape }: z.ZodObject, examples: Examples): object =>
  Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [
      field,
      examples.responses[name]?.[field] ?? exampleOf(schema, examples.records),
    ]),
  );

const singular = (part: string) => part.replaceAll("-", " ").replace(/ies$/, "y").replace(/s$/, "");

export class PathParameters {
  private readonly ids = new Map<string, z.ZodString>();

  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly examples: ReadonlyMap<string, string>,
  ) {}

  of(path: string): z.ZodObject {
    const parts = path.split("/");
    return z.object(
      Object.fromEntries(
        parts.flatMap((part, index) =>
          part.startsWith(":") ? [[part.slice(1), this.idOf(parts[index - 1] ?? "")]] : [],
        ),
      ),
    );
  }

  private idOf(part: string): z.ZodString {
    const record = this.names.get(part) ?? singular(part);
    const known = this.ids.get(record);
    if (known !== undefined) return known;
    const example = this.examples.get(record);
    const made = z.string().meta({
      description: `The id of the ${record}.`,
      param: { id: `${pascalCase(record)}Id`, ...(example !== undefined && { example }) },
    });
    this.ids.set(record, made);
    return made;
  }
}

/**
 * The cursor parameters of all lists are one component in the document. Their contents differ, but clients
 * never read them.
 */
const cursor = cursorText
  .optional()
  .meta({ description: "`next_cursor` of the previous page.", param: { id: "Cursor" } });

const queryOf = (query: z.ZodObject): z.ZodObject =>
  Object.hasOwn(query.shape, "cursor") ? z.object({ ...query.shape, cursor }) : query;
