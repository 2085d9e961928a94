import type { Handler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { LeastRole } from "../shared/access/actor.ts";
import type { ErrorCode } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

export type Method = "get" | "post" | "patch" | "put" | "delete";

export type OperationName = `${string}.${string}`;

export interface ToolEffects {
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/**
 * `requires` names an argument that is optional for the endpoint, but required for the tool. The tool also sends the
 * argument's value as the Idempotency-Key.
 */
export type ToolKind = "read" | (ToolEffects & { requires?: { argument: string; hint: string } });

export interface Spec<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape> {
  name: OperationName;
  summary: string;
  description: string;
  role?: LeastRole;
  query?: Q;
  body?: B;
  isBodyOptional?: true;
  /** An example for the documentation. A test sends it, and the API must accept it. */
  example?: z.input<B>;
  status?: ContentfulStatusCode;
  otherStatus?: { status: ContentfulStatusCode; when(answer: z.input<z.ZodObject<R>>): boolean };
  rows?: string;
  response: R;
  /** True if the handler returns one record with its revision. The response then contains the revision as the ETag. */
  returnsETag?: true;
  /**
   * True if the endpoint accepts If-Match. The handler reads it as `ctx.expectedRevisions`. Defaults to true
   * for PATCH, PUT and DELETE if they return an ETag.
   */
  acceptsIfMatch?: boolean;
  /** Returns true if a POST with this body only previews a change. A read-only key may then send it. */
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
  leastRole: LeastRole | null;
  takesIdempotencyKey: boolean;
  acceptsIfMatch: boolean;
  takesBytes: boolean;
  fileType: FileType | null;
  handlers: Handler<AppEnv>[];
}
