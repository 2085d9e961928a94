import * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { type ErrorCode, errorCodes } from "../shared/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { statusOf } from "./errors.ts";

export interface Surface {
  base: string;
  security: "apiKey" | "operatorToken";
  endpoints: readonly Endpoint[];
}

const everyEndpoint: ErrorCode[] = [
  "validation_failed",
  "unauthorized",
  "not_found",
  "method_not_allowed",
  "internal_error",
  "unavailable",
];
const everyManaged: ErrorCode[] = ["forbidden"];
const everyPublic: ErrorCode[] = ["plan_required", "rate_limited"];
const everyWrite: ErrorCode[] = ["invalid_json", "payload_too_large", "unsupported_media_type"];
const everyPublicWrite: ErrorCode[] = ["forbidden", "idempotency_in_progress", "idempotency_key_reused"];

const errorBody = z
  .strictObject({
    success: z.literal(false),
    error: z.strictObject({ code: z.enum(errorCodes), message: z.string(), details: z.unknown() }),
    request_id: z.string(),
  })
  .meta({ id: "Error" });

const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .optional()
  .meta({
    description: "Within 24 hours the same key and request get the first 2xx answer again, and nothing happens twice.",
  });

function errorsOf({ method, errors, role }: Endpoint, isPublic: boolean): ErrorCode[] {
  const isWrite = method !== "get";
  return [
    ...everyEndpoint,
    ...(isPublic ? everyPublic : []),
    ...(role === null ? [] : everyManaged),
    ...(isWrite ? everyWrite : []),
    ...(isPublic && isWrite ? everyPublicWrite : []),
    ...errors,
  ];
}

function errorResponses(codes: ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => statusOf[code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\``).join(", "),
        content: { "application/json": { schema: errorBody } },
      },
    ]),
  );
}

/** `getConversationsByIdMessages`: says where it is, so no two are alike and none changes with a wording. */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path
    .replaceAll(":", "by-")
    .split(/[/-]/)
    .filter((word) => word !== "");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** What opens an endpoint: one of these. */
const securityOf = ({ role }: Endpoint, security: Surface["security"]) =>
  role === null || role === "operator" ? [{ [security]: [] }] : [{ [security]: [] }, { session: [] }];

const admitted = { agent: "Any member may.", admin: "Admins and owners may.", owner: "Owners may." };

function descriptionOf({ description, role }: Endpoint): string | undefined {
  const parts = [description, role === null || role === "operator" ? undefined : admitted[role]];
  const said = parts.filter((part) => part !== undefined).join(" ");
  return said === "" ? undefined : said;
}

function operationOf(endpoint: Endpoint, { security }: Surface): ZodOpenApiOperationObject {
  const names = endpoint.path.split("/").filter((part) => part.startsWith(":"));
  const path = Object.fromEntries(names.map((name) => [name.slice(1), z.string()]));
  const answer = { description: "Done.", content: { "application/json": { schema: endpoint.response } } };
  const description = descriptionOf(endpoint);
  const takesKey = endpoint.takesIdempotencyKey && endpoint.method !== "get";
  return {
    operationId: operationIdOf(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(description !== undefined && { description }),
    security: securityOf(endpoint, security),
    requestParams: {
      path: z.object(path),
      ...(endpoint.query instanceof z.ZodObject && { query: endpoint.query }),
      ...(takesKey && { header: z.object({ "Idempotency-Key": idempotencyKey }) }),
    },
    ...(endpoint.body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: endpoint.body } } },
    }),
    responses: {
      ...(endpoint.otherStatus !== undefined && { [String(endpoint.otherStatus)]: answer }),
      [String(endpoint.status)]: answer,
      ...errorResponses(errorsOf(endpoint, security === "apiKey")),
    },
  };
}

/** The OpenAPI 3.1 document of what is mounted, from the schemas that validate. */
export function describeApi(surfaces: readonly Surface[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const surface of surfaces) {
    for (const endpoint of surface.endpoints) {
      const path = surface.base + endpoint.path.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint, surface) };
    }
  }
  return createDocument({
    openapi: "3.1.0",
    info: { title: "Tidings", version: "1", description: "A messaging and contacts API at the edge." },
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "A workspace's API key: `tdg_…`." },
        operatorToken: { type: "http", scheme: "bearer", description: "The operator's `ADMIN_TOKEN`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-tidings",
          description:
            "A member's session in the console, for their own workspaces. What changes something also carries the `X-CSRF-Token` of a page's `csrf-token`.",
        },
      },
    },
  });
}
