import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import * as z from "zod";
import type { AppEnv } from "../../http/app-env.ts";
import { type RequestConditions, UNCONDITIONAL } from "../../http/audiences.ts";
import { statusOf } from "../../http/response/errors.ts";
import { orNothing, type ParamsOf, paramsOf } from "../../http/request/params.ts";
import { readBody, streamedBody } from "../../http/request/read-body.ts";
import { parseJsonObject, parseRow } from "../../http/request/validate.ts";
import type { Role } from "../../shared/access/actor.ts";
import { AppError } from "../../shared/errors.ts";
import { type HandlerResult, redirectWithError, respond, withStatus } from "./results.ts";
import { toastOfError } from "./forms/faults.ts";
import { formBody } from "./forms/form-body.ts";
import { parseInput, refusedForm, SentForm } from "./forms/forms.ts";
import { conditionsOf, changedPart } from "./forms/saving.ts";
import type { PageRequest } from "./request.ts";

const emptyInput = z.object({});

export type HasPage = (path: string) => boolean;

interface AccessRequest {
  role: Role;
  token: string | undefined;
  conditions: RequestConditions;
  hasPage: HasPage;
}

export interface PageAudience<V extends PageRequest> {
  base: string;
  authorise(c: Context<AppEnv>, wanted: AccessRequest): Promise<V>;
  /** Starts to load the layout's data, so that it loads at the same time as the data of the page. */
  prepare?(request: V): void;
  render(request: V, page: Child): Promise<string>;
}

export interface ConsoleRoute {
  method: "get" | "post";
  path: string;
  /** True if the body is a file. It is streamed, and the page limits its size. */
  isStreamed?: true;
  handle(c: Context<AppEnv>, hasPage: HasPage): Promise<Response>;
}

interface GetSpec<Q extends z.ZodType> {
  role?: Role;
  query?: Q;
}

interface PostSpec<V, P extends string, B extends z.ZodType> {
  role?: Role;
  body?: B;
  /** Replaces `formBody` for a form whose field names differ from those of `body`. */
  read?(form: SentForm): unknown;
  /**
   * For a record without a revision. `body` then contains only the fields that the user changed, and `original`
   * contains the values of these fields when the form was rendered.
   */
  isPartial?: true;
  /**
   * Renders the page if the form is invalid. The faults are in `request.refused`. Defaults to the page that
   * contains the form.
   */
  onInvalid?(request: V, params: ParamsOf<P>): Promise<JSX.Element> | JSX.Element;
}

interface FormSpec<V, P extends string, B extends z.ZodType> extends Omit<PostSpec<V, P, B>, "onInvalid"> {
  page(request: V, params: ParamsOf<P>): Promise<JSX.Element> | JSX.Element;
}

type PostHandler<V, P extends string, B extends z.ZodType> = (
  request: V,
  input: { params: ParamsOf<P>; body: z.output<B>; original: z.output<B> | undefined; c: Context<AppEnv> },
) => Promise<HandlerResult> | HandlerResult;

type SentFile = ReturnType<typeof streamedBody> & { name: string };

type SentBody = { form: SentForm; json: null } | { form: null; json: unknown };

/**
 * Throws `validation_failed` if the body does not match its content type, which only happens if the sender is
 * not a browser.
 */
async function parseForm(bytes: ArrayBuffer, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new AppError("validation_failed", "Couldn't read the form. Go back and send it again.");
  }
}

async function readSentBody(c: Context<AppEnv>): Promise<SentBody> {
  const type = c.req.header("Content-Type") ?? "";
  if (type.startsWith("application/json")) return { form: null, json: parseJsonObject(await readBody(c)) };
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type))
    throw new AppError("unsupported_media_type", "Send a form.");
  const values = new Map<string, string[]>();
  for (const [name, value] of await parseForm(await readBody(c), type)) {
    if (typeof value !== "string") continue;
    const all = values.get(name) ?? [];
    all.push(value.replaceAll("\r\n", "\n"));
    values.set(name, all);
  }
  return { form: new SentForm(values), json: null };
}

function readQuery(c: Context<AppEnv>): Record<string, string> {
  const entries = Object.entries(c.req.query()).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(entries);
}

/**
 * Returns the start page if the address is outside the console. Addresses come from links and headers, so they
 * could lead to another site.
 */
export function consolePathOf(address: string, { origin }: URL): string {
  if (!URL.canParse(address, origin)) return "/console";
  const to = new URL(address, origin);
  const isPage = to.origin === origin && /^\/console(?:\/|$)/.test(to.pathname);
  return isPage ? to.pathname + to.search : "/console";
}

export const refererPath = (c: Context<AppEnv>): string =>
  consolePathOf(c.req.header("Referer") ?? "", new URL(c.req.url));

export function createPages<V extends PageRequest>(audience: PageAudience<V>) {
  const routes: ConsoleRoute[] = [];
  const answer = (c: Context<AppEnv>, request: V, result: HandlerResult) =>
    respond(c, result, (page) => audience.render(request, page));
  return {
    base: audience.base,
    routes,

    get<P extends string, Q extends z.ZodType = typeof emptyInput>(
      path: P,
      spec: GetSpec<Q>,
      handler: (
        request: V,
        input: { params: ParamsOf<P>; query: z.output<Q> },
      ) => Promise<HandlerResult> | HandlerResult,
    ): void {
      const handle: ConsoleRoute["handle"] = async (c, hasPage) => {
        const request = await audience.authorise(c, {
          role: spec.role ?? "admin",
          token: undefined,
          conditions: UNCONDITIONAL,
          hasPage,
        });
        const query = parseInput(orNothing(spec.query, emptyInput), readQuery(c));
        const answering = handler(request, { params: paramsOf(path, c.req.param()), query });
        audience.prepare?.(request);
        return answer(c, request, await answering);
      };
      routes.push({ method: "get", path, handle });
    },

    post<P extends string, B extends z.ZodType = typeof emptyInput>(
      path: P,
      spec: PostSpec<V, P, B>,
      handler: PostHandler<V, P, B>,
    ): void {
      const handle: ConsoleRoute["handle"] = async (c, hasPage) => {
        const { form, json } = await readSentBody(c);
        const token = form === null ? c.req.header("X-CSRF-Token") : form.takeToken();
        const conditions = form === null ? UNCONDITIONAL : await conditionsOf(c.req.path, form.values, form.origin);
        const request = await audience.authorise(c, { role: spec.role ?? "admin", token, conditions, hasPage });
        const params = paramsOf(path, c.req.param());
        const schema = orNothing(spec.body, emptyInput);
        const run = async (sent: unknown, original?: z.output<typeof schema>) =>
          answer(c, request, await handler(request, { params, body: parseInput(schema, sent), original, c }));
        if (form === null) return run(json);
        const read = (each: SentForm) => spec.read?.(each) ?? formBody(schema, each, spec.isPartial);
        try {
          if (spec.isPartial !== true || form.origin.before.size === 0) return await run(read(form));
          const { sent, original } = changedPart(read(form), read(form.asRendered()));
          const before = parseRow(schema, original);
          return await run(sent, before.faults === null ? before.data : undefined);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (spec.onInvalid === undefined)
            return answer(c, request, redirectWithError(refererPath(c), toastOfError(error)));
          const again = { ...request, refused: refusedForm(form, error) };
          return answer(c, again, withStatus(statusOf[error.code], await spec.onInvalid(again, params)));
        }
      };
      routes.push({ method: "post", path, handle });
    },

    form<P extends string, B extends z.ZodType = typeof emptyInput>(
      path: P,
      { page, ...spec }: FormSpec<V, P, B>,
      handler: PostHandler<V, P, B>,
    ): void {
      const { role = "admin" } = spec;
      this.get(path, { role }, (request, { params }) => page(request, params));
      this.post(path, { ...spec, onInvalid: page }, handler);
    },

    upload(path: string, role: Role, handler: (request: V, file: SentFile) => Promise<HandlerResult>): void {
      const handle: ConsoleRoute["handle"] = async (c, hasPage) => {
        const token = c.req.header("X-CSRF-Token");
        const request = await audience.authorise(c, { role, token, conditions: UNCONDITIONAL, hasPage });
        const file = { ...streamedBody(c), name: c.req.query("filename") ?? "" };
        try {
          return await answer(c, request, await handler(request, file));
        } catch (error) {
          await file.stream.cancel().catch(() => {});
          throw error;
        }
      };
      routes.push({ method: "post", path, handle, isStreamed: true });
    },
  };
}

export type ConsolePages = Pick<ReturnType<typeof createPages>, "base" | "routes">;
