import type { Handler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { LeastRole } from "../shared/access/actor.ts";
import type { ErrorCode } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

export type Method = "get" | "post" | "patch" | "put" | "delete";

/** `<resource>.<verb>`, letters and dots only. Names must not change, because clients are generated from them. */
export type OperationName = `${string}.${string}`;

export interface ToolEffects {
  /** True if the tool changes or deletes existing data, or reaches many people at once. */
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/**
 * `requires` names an argument that only the tool requires, and how to obtain it. The tool also uses the argument as
 * the Idempotency-Key.
 */
export type ToolKind = "read" | (ToolEffects & { requires?: { argument: string; hint: string } });

export interface Spec<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape> {
  name: OperationName;
  summary: string;
  description: string;
  role?: LeastRole;
  query?: Q;
  body?: B;
  /** A request without a body counts as `{}`. */
  isBodyOptional?: true;
  /** An example body, which a test sends. The API must accept the example if its ids are valid. */
  example?: z.input<B>;
  status?: ContentfulStatusCode;
  /** This status replaces `status` if `when` returns true. */
  otherStatus?: { status: ContentfulStatusCode; when(answer: z.input<z.ZodObject<R>>): boolean };
  /** The name of a list in the body. The handler checks its items with `parseRow`. */
  rows?: string;
  /** The fields of the response besides `success: true`. */
  response: R;
  /** The response is one record. The handler also returns its revision, which becomes the ETag. */
  returnsETag?: true;
  /**
   * True if the operation accepts If-Match, which handlers read as `ctx.expectedRevisions`. Default: true for PATCH,
   * PUT and DELETE that return an ETag.
   */
  acceptsIfMatch?: boolean;
  /** True if a POST with this body changes nothing. Read-only keys can then send it. */
  isPreview?(body: z.output<B>): boolean;
  errors?: ErrorCode[];
  tool?: ToolKind;
}

export type FileType = "*/*" | "text/csv";

export interface StreamSpec<Q extends z.ZodType> {
  name: OperationName;
  summary: string;
  description: string;
  type: FileType;
  query?: Q;
  errors?: ErrorCode[];
}

export interface Endpoint extends Spec<z.ZodType, z.ZodType, z.ZodRawShape> {
  method: Method;
  path: string;
  tag: string;
  status: ContentfulStatusCode;
  errors: ErrorCode[];
  /** Null if only API keys can call the endpoint. */
  leastRole: LeastRole | null;
  takesIdempotencyKey: boolean;
  acceptsIfMatch: boolean;
  /** True if a body that is not JSON is a file, which is streamed. */
  takesBytes: boolean;
  fileType: FileType | null;
  handlers: Handler<AppEnv>[];
}
