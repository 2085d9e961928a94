// Headers and errors that operations share as components.
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

/** Response headers by name; each is a component. */
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
  ETag: z
    .string()
    .optional()
    .meta({
      description:
        "The record's revision in quotes, an integer that each change raises. Send it as If-Match with the next change. " +
        "Answers from before records had revisions lack it when they are replayed.",
      header: { id: "ETag" },
    }),
  "WWW-Authenticate": z
    .literal("Bearer")
    .meta({ description: "How to authenticate.", header: { id: "WWWAuthenticate" } }),
  Allow: z.string().meta({ description: "The methods that this path has.", header: { id: "Allow" } }),
  Link: z.string().meta({
    description: '`</docs/errors#<code>>; rel="help"`: what the error means, and what to do.',
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

/** Requests without a valid key have no rate limit. */
const headersOf = (status: number, isPublic: boolean) =>
  z.object({
    "X-Request-Id": requestId,
    ...(isPublic && status !== 401 && status !== 402 && limits),
    ...ofStatus[status],
  });

/** Headers of a successful response. */
export const answerHeaders = (
  status: number,
  { isPublic, takesKey, isRevisioned }: { isPublic: boolean; takesKey: boolean; isRevisioned: boolean },
) =>
  headersOf(status, isPublic).extend({
    ...(takesKey && { "Idempotent-Replayed": replayed }),
    ...(isRevisioned && { ETag: header.ETag }),
  });

type RefusedStatus = (typeof statusOf)[ErrorCode];

/** Each error status with the name and description of its component. */
const refusedStatuses: Record<RefusedStatus, [name: string, description: string]> = {
  400: ["BadRequest", "The request is malformed, or a field or parameter is not what it has to be."],
  401: ["Unauthorized", "No credential, or one that is unknown, revoked or expired."],
  402: ["PlanRequired", "The workspace's plan does not include API access."],
  403: ["Forbidden", "The credential may not do this."],
  404: ["NotFound", "There is no such path or record in this workspace."],
  405: ["MethodNotAllowed", "The path does not have this method."],
  409: ["Conflict", "Another record, or the state of this one, is in the way."],
  410: ["Gone", "What was asked for has been deleted."],
  412: ["PreconditionFailed", "Somebody else changed the record: its revision is not one of If-Match."],
  413: ["PayloadTooLarge", "The body is too large."],
  415: ["UnsupportedMediaType", "The body has another Content-Type than is taken here."],
  416: ["RangeNotSatisfiable", "The file has no such range."],
  422: ["Unprocessable", "The request is well-formed, and a rule speaks against it."],
  429: ["TooManyRequests", "The limit is used up: try again after `Retry-After`."],
  500: ["InternalError", "A fault of ours, logged by its request id."],
  502: ["BadGateway", "A provider answered with an error."],
  503: ["Unavailable", "Storage or a queue is overloaded: try again after `Retry-After`."],
};

function codesOf({ method, errors, role, takesIfMatch }: Endpoint, isPublic: boolean): ErrorCode[] {
  const isWrite = method !== "get";
  return [
    ...everyEndpoint,
    ...(isPublic ? everyPublic : []),
    ...(role === null ? [] : everyManaged),
    ...(isWrite ? everyWrite : []),
    ...(isPublic && isWrite ? everyPublicWrite : []),
    ...(takesIfMatch ? (["precondition_failed"] as const) : []),
    ...errors,
  ];
}

/** The responses to rejected requests. */
export class Refusals {
  /** The components of the operations seen so far, by name. */
  readonly components: Record<string, ZodOpenApiResponseObject> = {};

  /** The errors of an endpoint by status: the component and the codes that the endpoint returns. */
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

  private component(status: RefusedStatus, isPublic: boolean): string {
    const [title, description] = refusedStatuses[status];
    const name = isPublic ? title : `Manage${title}`;
    this.components[name] ??= {
      description,
      headers: headersOf(status, isPublic).extend({ Link: header.Link }),
      content: { "application/json": { schema: errorBody } },
    };
    return name;
  }
}
