import type { Handler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { LeastRole } from "../shared/actor.ts";
import type { ErrorCode } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

export type Method = "get" | "post" | "patch" | "put" | "delete";

/** `<resource>.<verb>`, letters and dots only: stable, since code that calls the API is generated from it. */
export type OperationName = `${string}.${string}`;

/** The effects of a tool, for models and the people who approve their calls. */
export interface ToolEffects {
  /** It changes or ends what is there, or reaches many people at once. */
  destructive: boolean;
  /** The same call again changes nothing more. */
  idempotent: boolean;
  /** It reaches people outside of the workspace. */
  openWorld: boolean;
}

/**
 * An endpoint that models may call. `requires`: an argument that a tool must get although the endpoint does not, with the way to get it.
 * It is used once: it serves as the Idempotency-Key.
 */
export type ToolNature = "read" | (ToolEffects & { requires?: { argument: string; hint: string } });

/** The one declaration of an endpoint: its input, its answer, its refusals. */
export interface Spec<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape> {
  name: OperationName;
  summary: string;
  description: string;
  /** The role that members need at least, where it is not the audience's. */
  role?: LeastRole;
  query?: Q;
  body?: B;
  /** A request without a body is taken as one with `{}`. */
  isBodyOptional?: true;
  /** A body that is accepted, but for the ids in it; a test sends it. */
  example?: z.input<B>;
  status?: ContentfulStatusCode;
  /** Given instead of `status` where `when` holds. */
  otherStatus?: { status: ContentfulStatusCode; when(answer: z.input<z.ZodObject<R>>): boolean };
  /** A list in the body whose items the handler checks one by one, with `parseRow`. */
  rows?: string;
  /** The named keys beside `success: true`. */
  response: R;
  /**
   * The answer is one record, whose revision the handler gives beside it for the ETag. PATCH, PUT and DELETE take If-Match, which is
   * in `ctx.expectedRevisions`.
   */
  isRevisioned?: true;
  /** A POST that changes the record takes If-Match as well. */
  changesRevisioned?: true;
  /**
   * Whether a POST with this body changes nothing: keys that may only read may send it. Left out, every POST changes something but
   * those of reading tools.
   */
  changesNothing?(body: z.output<B>): boolean;
  /** Refusals of its own, besides those every endpoint shares. */
  errors?: ErrorCode[];
  /** Offered to models at `/mcp` as well; left out, it is not. */
  tool?: ToolNature;
}

/** The type of a file that is answered: any, of which ranges may be asked for, or one that is written while it is sent. */
export type FileType = "*/*" | "text/csv";

/** The declaration of an endpoint that answers with the bytes of a file. */
export interface StreamSpec<Q extends z.ZodType> {
  name: OperationName;
  summary: string;
  description: string;
  type: FileType;
  query?: Q;
  errors?: ErrorCode[];
}

/** An endpoint as routing, documentation and tools read it: its declaration, and the rest that follows from it. */
export interface Endpoint extends Spec<z.ZodType, z.ZodType, z.ZodRawShape> {
  method: Method;
  path: string;
  tag: string;
  status: ContentfulStatusCode;
  errors: ErrorCode[];
  /** The role that members need at least. Null if API keys open it, not people. */
  leastRole: LeastRole | null;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  /** A body that is not JSON is a file, whose bytes are streamed. */
  takesBytes: boolean;
  /** The type of a file that is streamed as the answer. Null for JSON. */
  fileType: FileType | null;
  /** What serves it: checks of the caller, validators, handler. */
  handlers: Handler<AppEnv>[];
}
