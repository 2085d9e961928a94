import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import type { ErrorCode } from "../shared/errors.ts";
import type { Endpoint } from "./endpoint-spec.ts";
import { errorBody } from "./error-body.ts";
import { statusOf } from "./errors.ts";
import { idempotencyKey } from "./validate.ts";

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
const everyPublicWrite: ErrorCode[] = ["forbidden", "idempotency_key_reused"];

const documentedIdempotencyKey = idempotencyKey.meta({
  description: "Within 24 hours the same key and request get the first 2xx answer again, and nothing happens twice.",
});

const wholeSeconds = z.int().min(0);

/** Response headers by name; each is a component of the document. */
const header = {
  "X-Request-Id": z.string().meta({
    description: "Names this request in our logs. A well-formed one that the caller sends is kept.",
    header: { id: "XRequestId" },
  }),
  "Idempotent-Replayed": z
    .literal("true")
    .optional()
    .meta({
      description: "The answer was given before, to the same Idempotency-Key; nothing was done again.",
      header: { id: "IdempotentReplayed" },
    }),
  "RateLimit-Policy": z.string().meta({
    description: '`"default";q=<requests>;w=<seconds>`: the limit of the key.',
    header: { id: "RateLimitPolicy" },
  }),
  RateLimit: z.string().meta({
    description: '`"default";r=<requests>;t=<seconds>`: what is left, and when all of it is free again.',
    header: { id: "RateLimit" },
  }),
  "X-RateLimit-Limit": z.int().meta({ description: "The limit of the key.", header: { id: "XRateLimitLimit" } }),
  "X-RateLimit-Remaining": z
    .int()
    .meta({ description: "How many requests are left.", header: { id: "XRateLimitRemaining" } }),
  "X-RateLimit-Reset": wholeSeconds.meta({
    description: "Seconds until all of the limit is free again.",
    header: { id: "XRateLimitReset" },
  }),
  "Retry-After": wholeSeconds.meta({ description: "Seconds to wait, at least 1.", header: { id: "RetryAfter" } }),
  "WWW-Authenticate": z
    .literal("Bearer")
    .meta({ description: "How to authenticate.", header: { id: "WWWAuthenticate" } }),
  Allow: z.string().meta({ description: "The methods that this path has.", header: { id: "Allow" } }),
};

const { "X-Request-Id": requestId, "Idempotent-Replayed": replayed, "Retry-After": retryAfter } = header;
const limits = Object.fromEntries(Object.entries(header).filter(([name]) => name.includes("RateLimit")));

const ofStatus: Record<number, z.ZodRawShape> = {
  401: { "WWW-Authenticate": header["WWW-Authenticate"] },
  405: { Allow: header.Allow },
  429: { "Retry-After": retryAfter },
  503: { "Retry-After": retryAfter },
};

/** Before a key is known there is no limit to show. */
const headersOf = (status: number, isPublic: boolean) =>
  z.object({
    "X-Request-Id": requestId,
    ...(isPublic && status !== 401 && status !== 402 && limits),
    ...ofStatus[status],
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

function errorResponses(codes: ErrorCode[], isPublic: boolean) {
  const byStatus = Map.groupBy(new Set(codes), (code) => statusOf[code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\``).join(", "),
        headers: headersOf(status, isPublic),
        content: { "application/json": { schema: errorBody } },
      },
    ]),
  );
}

/** The credentials of an endpoint: one of these opens it. */
const securityOf = ({ role }: Endpoint, security: Surface["security"]) =>
  role === null || role === "operator" ? [{ [security]: [] }] : [{ [security]: [] }, { session: [] }];

const admitted = { agent: "Any member may.", admin: "Admins and owners may.", owner: "Owners may." };

const descriptionOf = ({ description, role }: Endpoint): string =>
  role === null || role === "operator" ? description : `${description} ${admitted[role]}`;

function operationOf(endpoint: Endpoint, { security }: Surface): ZodOpenApiOperationObject {
  const names = endpoint.path.split("/").filter((part) => part.startsWith(":"));
  const path = Object.fromEntries(names.map((name) => [name.slice(1), z.string()]));
  const isPublic = security === "apiKey";
  const takesKey = endpoint.takesIdempotencyKey && endpoint.method !== "get";
  const answer = (status: number) => ({
    description: successes[status] ?? "Done.",
    headers: headersOf(status, isPublic).extend(takesKey ? { "Idempotent-Replayed": replayed } : {}),
    content: endpoint.answersBytes ? file : { "application/json": { schema: endpoint.response() } },
  });
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint, security),
    requestParams: {
      path: z.object(path),
      ...(endpoint.query instanceof z.ZodObject && { query: endpoint.query }),
      ...(takesKey && { header: z.object({ "Idempotency-Key": documentedIdempotencyKey }) }),
    },
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: !endpoint.isBodyOptional,
        content: {
          "application/json": { schema: endpoint.body, example: endpoint.example },
          ...(endpoint.takesBytes && file),
        },
      },
    }),
    responses: {
      ...(endpoint.otherStatus !== undefined && { [String(endpoint.otherStatus)]: answer(endpoint.otherStatus) }),
      [String(endpoint.status)]: answer(endpoint.status),
      ...(endpoint.answersBytes && {
        206: answer(206),
        304: { description: "The caller has it already.", headers: headersOf(304, isPublic) },
      }),
      ...errorResponses(errorsOf(endpoint, isPublic), isPublic),
    },
  };
}

/** Bytes of any type. */
const file = { "*/*": { schema: z.string().meta({ format: "binary" }) } };

const successes: Record<number, string> = {
  206: "The range that was asked for.",
  201: "Created.",
  202: "Accepted: it is stored, and done soon.",
};

const tidy: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  // Answers may gain fields, so clients must not refuse those they do not know.
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Bounds of JavaScript's integers, not of ours.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** The OpenAPI 3.1 document of what is mounted, from the schemas that validate. `tags` says what each tag is about. */
export function describeApi(surfaces: readonly Surface[], tags: Record<string, string>) {
  const paths: ZodOpenApiPathsObject = {};
  for (const surface of surfaces) {
    for (const endpoint of surface.endpoints) {
      const path = surface.base + endpoint.path.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint, surface) };
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
    servers: [{ url: "/", description: "Where this document was served." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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
  };
  return createDocument(document, { override: tidy });
}
