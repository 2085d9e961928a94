import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { type LeastRole, requireRole } from "../shared/actor.ts";
import { type BaseCtx, type Ctx, forWorkspace, type Once } from "../shared/context.ts";
import type { ErrorCode } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { orNothing, type ParamsOf, paramsOf } from "./params.ts";
import { validate } from "./validate.ts";

type Method = "get" | "post" | "patch" | "put" | "delete";

const nothing = z.strictObject({});

/** The one declaration of an endpoint: its input, its answer, its refusals. */
export interface Spec<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape> {
  summary: string;
  description: string;
  /** The role that members need at least, where it is not the audience's. */
  role?: LeastRole;
  query?: Q;
  body?: B;
  /** A body that is accepted, but for the ids in it; a test sends it. */
  example?: z.input<B>;
  status?: ContentfulStatusCode;
  /** Given instead of `status` where `when` holds. */
  otherStatus?: { status: ContentfulStatusCode; when(answer: z.input<z.ZodObject<R>>): boolean };
  /** A list in the body whose items the handler checks one by one, with `parseRow`. */
  rows?: string;
  /** The named keys beside `success: true`. */
  response: R;
  /** Refusals of its own, besides those every endpoint shares. */
  errors?: ErrorCode[];
}

/** An endpoint as routing and documentation see it. */
export interface Endpoint {
  method: Method;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The role that members need at least; null where keys open it, not people. */
  role: LeastRole | null;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  example: unknown;
  status: ContentfulStatusCode;
  otherStatus: ContentfulStatusCode | undefined;
  response: z.ZodObject;
  errors: ErrorCode[];
  takesIdempotencyKey: boolean;
  handle(c: Context<AppEnv>): Promise<Response>;
}

/** The callers that endpoints serve, with the context their handlers get. */
export interface Audience<C> {
  role: LeastRole | null;
  contextOf(c: Context<AppEnv>, once: Once | null): C | Promise<C>;
  takesIdempotencyKey: boolean;
}

/** Endpoints for a workspace's own software. */
export const publicApi: Audience<Ctx> = {
  role: null,
  contextOf: (c, once) => ({ ...c.var.ctx, once }),
  takesIdempotencyKey: true,
};

/** Endpoints of the operator. */
export const operatorApi: Audience<BaseCtx> = {
  role: "operator",
  contextOf: (c) => c.var.base,
  takesIdempotencyKey: false,
};

/** Endpoints below `/workspaces/:ws`, of the operator and of the workspace's members. */
export const workspaceApi: Audience<Ctx> = {
  role: "admin",
  contextOf: async (c) => forWorkspace(c.var.base, await c.var.findWorkspace(c.req.param("ws") ?? "")),
  takesIdempotencyKey: false,
};

/** Throws `forbidden`; then the request acts as its member or the operator. */
function admitManager(c: Context<AppEnv>, role: LeastRole): void {
  const actor = c.var.actorIn(c.req.param("ws"));
  requireRole(actor, role);
  c.set("base", { ...c.var.base, actor });
}

/** Collects a feature's endpoints. Handlers get the context of their audience and what was sent, validated. */
export function createApi<C>(tag: string, audience: Audience<C>) {
  const endpoints: Endpoint[] = [];
  const add =
    (method: Method) =>
    <
      P extends string,
      R extends z.ZodRawShape,
      Q extends z.ZodType = typeof nothing,
      B extends z.ZodType = typeof nothing,
    >(
      path: P,
      spec: Spec<Q, B, R>,
      handler: (
        ctx: C,
        input: { params: ParamsOf<P>; query: z.output<Q>; body: z.output<B>; origin: string },
      ) => Promise<z.input<z.ZodObject<R>>>,
    ): void => {
      const { summary, description, query, body, example, status = 200, otherStatus, rows, errors = [] } = spec;
      const role = spec.role ?? audience.role;
      const response = z.strictObject({ success: z.literal(true), ...spec.response });
      const schemas = {
        query: orNothing(query, nothing),
        body: orNothing(body, nothing),
        expectsBody: body !== undefined,
        rows,
      };
      const handle = async (c: Context<AppEnv>) => {
        if (role !== null) admitManager(c, role);
        const { once, ...input } = await validate(c, { ...schemas, takesIdempotencyKey: audience.takesIdempotencyKey });
        const ctx = await audience.contextOf(c, once);
        const params = paramsOf(path, c.req.param());
        const answer = await handler(ctx, { params, origin: new URL(c.req.url).origin, ...input });
        if (once?.replayed) c.header("Idempotent-Replayed", "true");
        return c.json({ success: true, ...answer }, otherStatus?.when(answer) ? otherStatus.status : status);
      };
      const { takesIdempotencyKey } = audience;
      endpoints.push({
        method,
        path,
        tag,
        summary,
        description,
        role,
        query,
        body,
        example,
        status,
        otherStatus: otherStatus?.status,
        response,
        errors,
        takesIdempotencyKey,
        handle,
      });
    };
  return { endpoints, get: add("get"), post: add("post"), patch: add("patch"), put: add("put"), delete: add("delete") };
}
