import type { Context, Handler, MiddlewareHandler } from "hono";
import * as z from "zod";
import { type LeastRole, requireRole, requireWriter } from "../shared/access/actor.ts";
import type { ByteBody, Once } from "../shared/context.ts";
import type { AppEnv } from "./app-env.ts";
import { type Audience, UNCONDITIONAL } from "./audiences.ts";
import type { Endpoint, FileType, Method, Spec, StreamSpec } from "./endpoint-spec.ts";
import { type ParamsOf, paramsOf } from "./request/params.ts";
import { limitJson, streamedBody } from "./request/read-body.ts";
import { type StreamedResponse, respondWithStream } from "./response/streamed-response.ts";
import { isJson, whereJson } from "./request/headers.ts";
import { headerSchema, onceOf, onceOfBody, validators } from "./request/validate.ts";
import { etagOf } from "./response/etags.ts";

const nothing = z.strictObject({});

interface LookUp<C, P extends string> {
  /**
   * Looks up the ids in the path and throws `not_found` for an unknown id. Runs before faults in the body are
   * reported, so that the client learns of the unknown id first.
   */
  lookUp?(ctx: C, params: ParamsOf<P>): Promise<unknown>;
}

type Revisioned<R extends z.ZodRawShape> = z.input<z.ZodObject<R>> & { revision?: number | null };

const requireLeastRole =
  (role: LeastRole): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const actor = c.var.actorIn(c.req.param("ws"));
    requireRole(actor, role);
    c.set("base", { ...c.var.base, actor });
    await next();
  };

type SentFile<B extends z.ZodType> = { bytes: ByteBody; body: null } | { bytes: null; body: z.output<B> };

interface SentHeaders {
  "idempotency-key"?: string | undefined;
  "if-match"?: readonly number[] | null | undefined;
}

interface ValidInput<Q extends z.ZodType, B extends z.ZodType> {
  out: { query: z.output<Q>; json: z.output<B>; header: SentHeaders | undefined };
}

const headersOf = (header: SentHeaders | undefined) => ({
  key: header?.["idempotency-key"],
  expectedRevisions: header?.["if-match"] ?? null,
});

function respondJson<R extends z.ZodRawShape>(
  c: Context<AppEnv>,
  { status = 200, otherStatus }: Pick<Spec<z.ZodType, z.ZodType, R>, "status" | "otherStatus">,
  result: Revisioned<R>,
  once: Once | null,
): Response {
  if (once?.replayed) c.header("Idempotent-Replayed", "true");
  const { revision = null, ...fields } = result;
  if (revision !== null) c.header("ETag", etagOf(revision));
  return c.json({ success: true, ...fields }, otherStatus?.when(result) ? otherStatus.status : status);
}

export function createApi<C>(tag: string, audience: Audience<C>) {
  const endpoints: Endpoint[] = [];
  const { takesIdempotencyKey } = audience;

  function declare<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape>(
    method: Method,
    path: string,
    spec: Spec<Q, B, R>,
    {
      takesBytes = false,
      fileType = null,
      beforeBodyFaults,
      respond,
    }: {
      takesBytes?: boolean;
      fileType?: FileType | null;
      beforeBodyFaults?: ((c: Context<AppEnv>) => Promise<unknown>) | undefined;
      respond: Handler<AppEnv, string, ValidInput<Q, B>>;
    },
  ): void {
    const leastRole = spec.role ?? audience.role;
    const isChange = method !== "get" && method !== "post";
    const { acceptsIfMatch = isChange && spec.returnsETag === true } = spec;
    endpoints.push({
      status: 200,
      errors: [],
      ...spec,
      method,
      path,
      tag,
      leastRole,
      takesIdempotencyKey,
      acceptsIfMatch,
      takesBytes,
      fileType,
      handlers: [
        takesBytes ? whereJson(limitJson) : limitJson,
        ...(leastRole === null ? [] : [requireLeastRole(leastRole)]),
        ...validators({
          header: headerSchema(method, { idempotencyKey: takesIdempotencyKey, ifMatch: acceptsIfMatch }),
          query: spec.query ?? nothing,
          json: method === "get" ? null : (spec.body ?? nothing),
          isBodyRequired: spec.body !== undefined && spec.isBodyOptional !== true,
          takesBytes,
          rows: spec.rows,
          beforeBodyFaults,
        }),
        respond,
      ],
    });
  }

  const jsonEndpoint =
    (method: Method) =>
    <
      P extends string,
      R extends z.ZodRawShape,
      Q extends z.ZodType = typeof nothing,
      B extends z.ZodType = typeof nothing,
    >(
      path: P,
      spec: Spec<Q, B, R> & LookUp<C, P>,
      handler: (
        ctx: C,
        input: {
          params: ParamsOf<P>;
          query: z.output<Q>;
          body: z.output<B>;
          origin: string;
        },
      ) => Promise<Revisioned<R>>,
    ): void => {
      const { lookUp } = spec;
      const beforeBodyFaults =
        lookUp &&
        (async (c: Context<AppEnv>) =>
          lookUp(await audience.contextOf(c, UNCONDITIONAL), paramsOf(path, c.req.param())));
      declare(method, path, spec, {
        beforeBodyFaults,
        async respond(c) {
          const { key, expectedRevisions } = headersOf(c.req.valid("header"));
          const [query, body] = [c.req.valid("query"), c.req.valid("json")];
          if (spec.isPreview?.(body) === false) requireWriter(c.var.caller);
          const once = await onceOfBody(c, key);
          const ctx = await audience.contextOf(c, { once, expectedRevisions });
          const { url } = c.req;
          const params = paramsOf(path, c.req.param());
          const input = { params, query, body, origin: new URL(url).origin };
          return respondJson(c, spec, await handler(ctx, input), once);
        },
      });
    };

  function upload<P extends string, R extends z.ZodRawShape, Q extends z.ZodType, B extends z.ZodType>(
    path: P,
    spec: Spec<Q, B, R>,
    handler: (
      ctx: C,
      input: { params: ParamsOf<P>; query: z.output<Q> } & SentFile<B>,
    ) => Promise<z.input<z.ZodObject<R>>>,
  ): void {
    declare("post", path, spec, {
      takesBytes: true,
      async respond(c) {
        const { key } = headersOf(c.req.valid("header"));
        const [query, body] = [c.req.valid("query"), c.req.valid("json")];
        const params = paramsOf(path, c.req.param());
        if (isJson(c)) {
          const once = await onceOfBody(c, key);
          const ctx = await audience.contextOf(c, { ...UNCONDITIONAL, once });
          return respondJson(c, spec, await handler(ctx, { params, query, body, bytes: null }), once);
        }
        const created: Once[] = [];
        const onceFor = async (sha256: string) => {
          const once = await onceOf(c, key, () => Promise.resolve(sha256));
          if (once !== null) created.push(once);
          return once;
        };
        const bytes = { ...streamedBody(c), onceFor };
        const ctx = await audience.contextOf(c, UNCONDITIONAL);
        return respondJson(c, spec, await handler(ctx, { params, query, body: null, bytes }), created[0] ?? null);
      },
    });
  }

  function stream<P extends string, Q extends z.ZodType = typeof nothing>(
    path: P,
    spec: StreamSpec<Q>,
    handler: (
      ctx: C,
      input: { params: ParamsOf<P>; query: z.output<Q>; headers: Headers; isHead: boolean },
    ) => Promise<StreamedResponse>,
  ): void {
    declare(
      "get",
      path,
      { ...spec, response: {} },
      {
        fileType: spec.type,
        async respond(c) {
          const query = c.req.valid("query");
          const ctx = await audience.contextOf(c, UNCONDITIONAL);
          const request = { headers: c.req.raw.headers, isHead: c.req.method === "HEAD" };
          const params = paramsOf(path, c.req.param());
          return respondWithStream(c, await handler(ctx, { params, query, ...request }));
        },
      },
    );
  }

  return {
    endpoints,
    get: jsonEndpoint("get"),
    post: jsonEndpoint("post"),
    patch: jsonEndpoint("patch"),
    put: jsonEndpoint("put"),
    delete: jsonEndpoint("delete"),
    upload,
    stream,
  };
}
