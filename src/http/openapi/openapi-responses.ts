import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { ErrorCode } from "../../shared/errors.ts";
import type { Endpoint } from "../endpoint-spec.ts";
import { errorBody } from "./error-body.ts";
import { statusOf } from "../response/errors.ts";

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

const wholeSeconds = z.int().min(0);

const header = {
  "X-Request-Id": z.string().meta({
    description: "Id of this request in our logs: the id that the caller sends, if it is valid, or else a new id.",
    header: { id: "XRequestId" },
  }),
  "Idempotent-Replayed": z
    .literal("true")
    .optional()
    .meta({
      description:
        "`true` if this is the stored response to an earlier request with the same Idempotency-Key. The action was not repeated.",
      header: { id: "IdempotentReplayed" },
    }),
  "RateLimit-Policy": z.string().meta({
    description: 'Limit of the key: `"default";q=<requests>;w=<seconds>`.',
    header: { id: "RateLimitPolicy" },
  }),
  RateLimit: z.string().meta({
    description:
      'Remaining requests, and the time until the oldest counted request no longer counts: `"default";r=<requests>;t=<seconds>`.',
    header: { id: "RateLimit" },
  }),
  "X-RateLimit-Limit": z.int().meta({ description: "Limit of the key.", header: { id: "XRateLimitLimit" } }),
  "X-RateLimit-Remaining": z
    .int()
    .meta({ description: "Number of remaining requests.", header: { id: "XRateLimitRemaining" } }),
  "X-RateLimit-Reset": wholeSeconds.meta({
    description: "Seconds until the oldest counted request no longer counts.",
    header: { id: "XRateLimitReset" },
  }),
  "Retry-After": wholeSeconds.meta({ description: "Seconds to wait, at least 1.", header: { id: "RetryAfter" } }),
  ETag: z
    .string()
    .optional()
    .meta({
      description:
        "Revision of the record in quotes: an integer that increases with each change. Send the ETag as If-Match with the next change. " +
        "Missing in replays of responses that were stored before records had revisions.",
      header: { id: "ETag" },
    }),
  "WWW-Authenticate": z
    .literal("Bearer")
    .meta({ description: "Authentication scheme.", header: { id: "WWWAuthenticate" } }),
  Allow: z.string().meta({ description: "Methods of this path.", header: { id: "Allow" } }),
  Link: z.string().meta({
    description: 'Address of the page that explains the error and its fix: `</docs/errors#<code>>; rel="help"`.',
    header: { id: "Link" },
  }),
};

const { "X-Request-Id": requestId, "Idempotent-Replayed": replayed, "Retry-After": retryAfter } = header;
const limits = Object.fromEntries(Object.entries(header).filter(([name]) => name.includes("RateLimit")));

const ofStatus: Record<number, z.ZodRawShape> = {
  401: { "WWW-Authenticate": header["WWW-Authenticate"] },
  405: { Allow: header.Allow },
  429: { "Retry-After": retryAfter },
  503: { "Retry-After": retryAfter },
};

/**
 * A 401 and a 402 have no rate limit headers, because the request has no valid key or no plan and therefore no
 * rate limit.
 */
const headersOf = (status: number, isPublic: boolean) =>
  z.object({
    "X-Request-Id": requestId,
    ...(isPublic && status !== 401 && status !== 402 && limits),
    ...ofStatus[status],
  });

export const successHeaders = (
  status: number,
  { isPublic, takesKey, returnsETag }: { isPublic: boolean; takesKey: boolean; returnsETag: boolean },
) =>
  headersOf(status, isPublic).extend({
    ...(takesKey && { "Idempotent-Replayed": replayed }),
    ...(returnsETag && { ETag: header.ETag }),
  });

type ErrorStatus = (typeof statusOf)[ErrorCode];

const errorStatuses: Record<ErrorStatus, [name: string, description: string]> = {
  400: ["BadRequest", "The request is malformed, or a field or parameter is invalid."],
  401: ["Unauthorized", "The credential is missing, unknown, revoked or expired."],
  402: ["PlanRequired", "The workspace's plan does not include API access."],
  403: ["Forbidden", "The credential lacks the permission."],
  404: ["NotFound", "The path or record does not exist in this workspace."],
  405: ["MethodNotAllowed", "The path does not support this method."],
  409: ["Conflict", "The request conflicts with another record, or with the current state of the record."],
  410: ["Gone", "The requested events have been deleted."],
  412: [
    "PreconditionFailed",
    "If-Match does not contain the record's revision, because somebody else changed the record.",
  ],
  413: ["PayloadTooLarge", "The body is too large."],
  415: ["UnsupportedMediaType", "The body's Content-Type is not supported."],
  416: ["RangeNotSatisfiable", "The range is outside the file."],
  422: ["Unprocessable", "The request is well-formed, but violates a rule."],
  429: ["TooManyRequests", "Too many requests. Wait for the number of seconds in `Retry-After`, then retry."],
  500: ["InternalError", "Internal error. The log has the error under the request id."],
  502: ["BadGateway", "A provider returned an error."],
  503: [
    "Unavailable",
    "Storage or a queue is overloaded. Wait for the number of seconds in `Retry-After`, then retry.",
  ],
};

function codesOf({ method, errors, role, acceptsIfMatch }: Endpoint, isPublic: boolean): ErrorCode[] {
  const isWrite = method !== "get";
  return [
    ...everyEndpoint,
    ...(isPublic ? everyPublic : []),
    ...(role === null ? [] : everyManaged),
    ...(isWrite ? everyWrite : []),
    ...(isPublic && isWrite ? everyPublicWrite : []),
    ...(acceptsIfMatch ? (["precondition_failed"] as const) : []),
    ...errors,
  ];
}

export class ErrorResponses {
  readonly components: Record<string, ZodOpenApiResponseObject> = {};

  of(endpoint: Endpoint, isPublic: boolean) {
    const byStatus = Map.groupBy(new Set(codesOf(endpoint, isPublic)), (code) => statusOf[code]);
    return Object.fromEntries(
      Array.from(byStatus, ([status, codes]) => [
        String(status),
        {
          $ref: `#/components/responses/${this.component(status, isPublic)}`,
          description: codes.map((code) => `\`${code}\``).join(", "),
        },
      ]),
    );
  }

  private component(status: ErrorStatus, isPublic: boolean): string {
    const [title, description] = errorStatuses[status];
    const name = isPublic ? title : `Manage${title}`;
    this.components[name] ??= {
      description,
      headers: headersOf(status, isPublic).extend({ Link: header.Link }),
      content: { "application/json": { schema: errorBody } },
    };
    return name;
  }
}
