import type * as z from "zod";
import {
  createDocument,
  createSchema,
  type ZodOpenApiObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import type { Endpoint } from "../endpoint-spec.ts";
import { ErrorResponses } from "./openapi-responses.ts";
import { type Examples, operationOf, PathParameters } from "./openapi-operation.ts";

export interface Api {
  base: string;
  security: "apiKey" | "operatorToken";
  endpoints: readonly Endpoint[];
}

const tidy: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  // Allows unknown fields in responses, because later versions may add fields.
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (io === "output" && jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Removes the range of JavaScript's integers. Zod adds it, but the API does not have this limit.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

export interface DocumentParts {
  tagDescriptions: Record<string, string>;
  webhookBodies: z.ZodType;
  webhookRequests: readonly SentRequest[];
  receiverResponses: Record<string, string>;
  recordNames: ReadonlyMap<string, string>;
  recordIds: ReadonlyMap<string, string>;
  examples: Examples;
}

export function describeApi(
  apis: readonly Api[],
  {
    tagDescriptions,
    webhookBodies,
    webhookRequests,
    receiverResponses,
    recordNames,
    recordIds,
    examples,
  }: DocumentParts,
) {
  const paths: ZodOpenApiPathsObject = {};
  const components = {
    parameters: new PathParameters(recordNames, recordIds),
    errorResponses: new ErrorResponses(),
    examples,
  };
  for (const api of apis) {
    for (const endpoint of api.endpoints) {
      const path = api.base + endpoint.path.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint, api.security, components) };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Tidings",
      version: "1",
      description: "A messaging and contacts API at the edge.",
      contact: { name: "Tidings" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that returned this document." }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeSentRequests(webhookRequests, receiverResponses),
    components: {
      parameters: sentHeaders,
      responses: components.errorResponses.components,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "API key of a workspace: `tdg_…`." },
        operatorToken: { type: "http", scheme: "bearer", description: "The operator's `ADMIN_TOKEN`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-tidings",
          description:
            "Session of a member in the console, for their own workspaces. Writes also require the header `X-CSRF-Token` with the `csrf-token` of a console page.",
        },
      },
    },
  };
  const described = createDocument(document, { override: tidy });
  const { components: ofEvents } = createSchema(webhookBodies, { io: "output", opts: { override: tidy } });
  const schemas = { ...described.components?.schemas, ...ofEvents };
  for (const [name, example] of Object.entries(examples.records)) {
    const schema = schemas[name];
    if (typeof schema === "object") schemas[name] = { ...schema, examples: [example] };
  }
  return { ...described, components: { ...described.components, schemas } };
}

export interface SentRequest {
  name: string;
  component: string;
  summary: string;
}

const text = (description: string, example: string) => ({
  required: true,
  description,
  schema: { type: "string" as const },
  example,
});

const sentHeaders = {
  WebhookIdHeader: {
    name: "webhook-id",
    in: "header" as const,
    ...text("Id of the event or batch, the same in all attempts and replays.", "evt_01jdz0q1m8v6x3k2b9t4w5y7ra"),
  },
  WebhookTimestampHeader: {
    name: "webhook-timestamp",
    in: "header" as const,
    ...text(
      "Time of this attempt, in seconds since 1970. Reject requests that are older than five minutes, because an attacker may have recorded and repeated them.",
      "1764581400",
    ),
  },
  WebhookSignatureHeader: {
    name: "webhook-signature",
    in: "header" as const,
    ...text(
      "`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. During a rotation, there is one signature per secret, separated by spaces.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
  },
};

function describeSentRequests(
  requests: readonly SentRequest[],
  receiverResponses: Record<string, string>,
): ZodOpenApiPathsObject {
  const responses = Object.fromEntries(
    Object.entries(receiverResponses).map(([status, description]) => [status, { description }]),
  );
  return Object.fromEntries(
    requests.map(({ name, component, summary }) => [
      name,
      {
        post: {
          operationId: `event.${name}`,
          tags: ["Webhooks"],
          summary,
          security: [],
          parameters: Object.keys(sentHeaders).map((id) => ({ $ref: `#/components/parameters/${id}` })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } },
          },
          responses,
        },
      },
    ]),
  );
}
