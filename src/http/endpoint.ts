import type { Context } from "hono";
import * as z from "zod";
import { type LeastRole, requireRole } from "../shared/actor.ts";
import { type Caller, requireWriter } from "../shared/caller.ts";
import type { ByteBody } from "../shared/byte-body.ts";
import { type BaseCtx, type Ctx, forWorkspace, type Once } from "../shared/context.ts";
import type { AppEnv } from "./app-env.ts";
import type { Endpoint, FileType, Method, Spec, StreamSpec } from "./endpoint-spec.ts";
import { orNothing, type ParamsOf, paramsOf } from "./params.ts";
import { type StreamedAnswer, streamAnswer } from "./streamed-answer.ts";
import { isJson } from "./json-type.ts";
import { validate } from "./validate.ts";
import { etagOf } from "./etags.ts";
import { validateBytes } from "./validate-bytes.ts";

const nothing = z.strictObject({});

interface LookUp<C, P extends string> {
  /** Throws `not_found`. Called before the body's faults are answered, where ids are checked before bodies. */
  lookUp?(ctx: C, params: ParamsOf<P>): Promise<unknown>;
}

/** The conditions in a request's headers under which it has effect. */
export type RequestConditions = Pick<Ctx, "once" | "expectedRevisions">;

export const UNCONDITIONAL: RequestConditions = { once: null, expectedRevisions: null };

/** The callers that endpoints serve, with the context their handlers get. */
export interface Audience<C> {
  role: LeastRole | null;
  contextOf(c: Context<AppEnv>, conditions: RequestConditions): C | Promise<C>;
  takesIdempotencyKey: boolean;
}

/** Endpoints for a workspace's own software. */
export const publicApi: Audience<Ctx> = {
  role: null,
  contextOf: (c, conditions) => ({ ...c.var.ctx, ...conditions }),
  takesIdempotencyKey: true,
};

/** The same, for what a key asks about itself. */
export const callerApi: Audience<Ctx & { caller: Caller }> = {
  ...publicApi,
  contextOf: (c, conditions) => ({ ...c.var.ctx, ...conditions, caller: c.var.caller }),
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

/** An answer, with the revision of the record in it where the declaration says `isRevisioned`. */
type Revisioned<R extends z.ZodRawShape> = z.input<z.ZodObject<R>> & { revision?: number | null };

const takesIfMatch = (method: Method, spec: { isRevisioned?: boolean; changesRevisioned?: boolean }): boolean =>
  spec.isRevisioned === true && method !== "get" && (method !== "post" || spec.changesRevisioned === true);

/** Throws `forbidden`; then the request acts as its member or the operator. */
function admitManager(c: Context<AppEnv>, role: LeastRole): void {
  const actor = c.var.actorIn(c.req.param("ws"));
  requireRole(actor, role);
  c.set("base", { ...c.var.base, actor });
}

/** The body of an endpoint that takes a file: its bytes, or JSON in their place. */
type SentFile<B extends z.ZodType> = { bytes: ByteBody; body: null } | { bytes: null; body: z.output<B> };

/** Collects a feature's endpoints. Handlers get the context of their audience and what was sent, validated. */
export function createApi<C>(tag: string, audience: Audience<C>) {
  const endpoints: Endpoint[] = [];
  const { takesIdempotencyKey } = audience;

  /** Declares an endpoint; `respond` answers once the caller may ask. */
  function declare<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodRawShape>(
    method: Method,
    path: string,
    {
      name,
      summary,
      description,
      query,
      body,
      example,
      status = 200,
      otherStatus,
      response,
      errors = [],
      ...spec
    }: Spec<Q, B, R>,
    kind: { takesBytes: boolean; fileType: FileType | null },
    respond: (c: Context<AppEnv>) => Promise<Response>,
  ): void {
    const role = spec.role ?? audience.role;
    endpoints.push({
      method,
      path,
      tag,
      name,
      summary,
      description,
      role,
      query,
      body,
      isBodyOptional: spec.isBodyOptional === true,
      example,
      status,
      otherStatus: otherStatus?.status,
      response: () => z.strictObject({ success: z.literal(true), ...response }),
      errors,
      isRevisioned: spec.isRevisioned === true,
      takesIfMatch: takesIfMatch(method, spec),
      mayChangeNothing: spec.changesNothing !== undefined,
      tool: spec.tool ?? null,
      takesIdempotencyKey,
      ...kind,
      answersBytes: kind.fileType !== null,
      async handle(c) {
        if (role !== null) admitManager(c, role);
        return respond(c);
      },
    });
  }

  /** Answers with JSON. */
  function answer<R extends z.ZodRawShape>(
    c: Context<AppEnv>,
    { status = 200, otherStatus }: Pick<Spec<z.ZodType, z.ZodType, R>, "status" | "otherStatus">,
    result: Revisioned<R>,
    once: Once | null,
  ): Response {
    if (once?.replayed) c.header("Idempotent-Replayed", "true");
    const { revision = null, ...shown } = result;
    if (revision !== null) c.header("ETag", etagOf(revision));
    return c.json({ success: true, ...shown }, otherStatus?.when(result) ? otherStatus.status : status);
  }

  const add =
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
          /** Aborted if the caller leaves before the answer. */
          signal: AbortSignal;
        },
      ) => Promise<Revisioned<R>>,
    ): void => {
      const schemas = {
        query: orNothing(spec.query, nothing),
        body: orNothing(spec.body, nothing),
        expectsBody: spec.body !== undefined && spec.isBodyOptional !== true,
        rows: spec.rows,
      };
      declare(method, path, spec, { takesBytes: false, fileType: null }, async (c) => {
        const params = paramsOf(path, c.req.param());
        const beforeBodyFaults = async () => spec.lookUp?.(await audience.contextOf(c, UNCONDITIONAL), params);
        const headers = { takesIdempotencyKey, takesIfMatch: takesIfMatch(method, spec) };
        const { once, expectedRevisions, ...input } = await validate(c, { ...schemas, ...headers, beforeBodyFaults });
        if (spec.changesNothing?.(input.body) === false) requireWriter(c.var.caller);
        const ctx = await audience.contextOf(c, { once, expectedRevisions });
        const { url, raw } = c.req;
        const result = await handler(ctx, { params, origin: new URL(url).origin, signal: raw.signal, ...input });
        return answer(c, spec, result, once);
      });
    };

  /** Declares a POST that takes a file, or the JSON of `body`. With bytes, `ctx` has no Idempotency-Key yet. */
  function upload<P extends string, R extends z.ZodRawShape, Q extends z.ZodType, B extends z.ZodType>(
    path: P,
    spec: Spec<Q, B, R>,
    handler: (
      ctx: C,
      input: { params: ParamsOf<P>; query: z.output<Q> } & SentFile<B>,
    ) => Promise<z.input<z.ZodObject<R>>>,
  ): void {
    const schemas = { query: orNothing(spec.query, nothing), body: orNothing(spec.body, nothing) };
    declare("post", path, spec, { takesBytes: true, fileType: null }, async (c) => {
      const params = paramsOf(path, c.req.param());
      if (isJson(c)) {
        const valid = await validate(c, { ...schemas, expectsBody: true, rows: undefined, takesIdempotencyKey });
        const { once, query, body } = valid;
        const ctx = await audience.contextOf(c, { ...UNCONDITIONAL, once });
        return answer(c, spec, await handler(ctx, { params, query, body, bytes: null }), once);
      }
      const { query, bytes } = await validateBytes(c, schemas);
      const made: Once[] = [];
      const onceFor = async (sha256: string) => {
        const once = await bytes.onceFor(sha256);
        if (once !== null) made.push(once);
        return once;
      };
      const ctx = await audience.contextOf(c, UNCONDITIONAL);
      const result = await handler(ctx, { params, query, body: null, bytes: { ...bytes, onceFor } });
      return answer(c, spec, result, made[0] ?? null);
    });
  }

  /** Declares a GET that answers with a file. */
  function stream<P extends string, Q extends z.ZodType = typeof nothing>(
    path: P,
    spec: StreamSpec<Q>,
    handler: (
      ctx: C,
      input: { params: ParamsOf<P>; query: z.output<Q>; headers: Headers; isHead: boolean },
    ) => Promise<StreamedAnswer>,
  ): void {
    const query = orNothing(spec.query, nothing);
    const schemas = { query, body: nothing, expectsBody: false, rows: undefined, takesIdempotencyKey };
    declare("get", path, { ...spec, response: {} }, { takesBytes: false, fileType: spec.type }, async (c) => {
      const valid = await validate(c, schemas);
      const ctx = await audience.contextOf(c, UNCONDITIONAL);
      const request = { headers: c.req.raw.headers, isHead: c.req.method === "HEAD" };
      const params = paramsOf(path, c.req.param());
      return streamAnswer(c, await handler(ctx, { params, query: valid.query, ...request }));
    });
  }

  return {
    endpoints,
    get: add("get"),
    post: add("post"),
    patch: add("patch"),
    put: add("put"),
    delete: add("delete"),
    upload,
    stream,
  };
}
