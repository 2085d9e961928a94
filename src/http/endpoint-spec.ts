import type { Handler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { LeastRole } from "../shared/access/actor.ts";
import type { ErrorCode } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

export type Method = "get" | "post" | "patch" | "put" | "delete";

/** `<resource>.<verb>`, letters and dots only. Stable, because clients are generated from it. */
export type OperationName = `${string}.${string}`;

export interface ToolEffects {
  /** The tool changes or deletes existing data, or reaches many people at once. */
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/** `requires` is an argument that only the tool requires, with the way to obtain it. It is used once, as the Idempotency-Key. */
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
  /** A body that is accepted except for the ids in it. A test sends it. */
  example?: z.input<B>;
  status?: ContentfulStatusCode;
  /** Returned instead of `status` if `when` holds. */
  otherStatus?: { status: ContentfulStatusCode; when(answer: z.input<z.ZodObject<R>>): boolean };
  /** A list in the body whose items the handler checks with `parseRow`. */
  rows?: string;
  /** The fields beside `success: true`. */
  response: R;
  /** The response is one record, and the handler also returns its revision, which becomes the ETag. */
  returnsETag?: true;
  /** Handlers read If-Match as `ctx.expectedRevisions`. Default: PATCH, PUT and DELETE accept it if they return an ETag. */
  acceptsIfMatch?: boolean;
  /** True for a body that makes a POST change nothing, so that read-only keys may send it. */
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
  /** Null if only API keys may call the endpoint. */
  leastRole: LeastRole | null;
  takesIdempotencyKey: boolean;
  acceptsIfMatch: boolean;
  /** A body that is not JSON is a file and is streamed. */
  takesBytes: boolean;
  fileType: FileType | null;
  handlers: Handler<AppEnv>[];
}
