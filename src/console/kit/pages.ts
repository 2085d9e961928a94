import type { Context } from "hono";
import * as z from "zod";
import type { AppEnv } from "../../http/app-env.ts";
import { statusOf } from "../../http/errors.ts";
import { orNothing, type ParamsOf, paramsOf } from "../../http/params.ts";
import { parseJsonObject } from "../../http/validate.ts";
import type { Role } from "../../shared/actor.ts";
import { AppError } from "../../shared/errors.ts";
import { type Answer, type Page, refuse } from "./answers.ts";
import { type FormState, judge, refusedForm, SentForm } from "./forms.ts";
import type { Visit } from "./visit.ts";

const nothing = z.object({});

/** Tells whether there is a page at a path below the workspace. */
export type HasPage = (path: string) => boolean;

interface Wanted {
  role: Role;
  /** What the request shows to come from a page of ours. */
  token: string | undefined;
  hasPage: HasPage;
}

/** Whom pages are for: where below `/console` they are, and what somebody must have to see them. */
export interface Audience<V extends Visit> {
  base: string;
  /** Throws `unauthorized` or `forbidden`. */
  admit(c: Context<AppEnv>, wanted: Wanted): Promise<V>;
  /** Puts the layout around a page. */
  render(visit: V, page: Page): Promise<string>;
}

/** A page as it is routed. */
export interface Route {
  method: "get" | "post";
  path: string;
  handle(c: Context<AppEnv>, hasPage: HasPage): Promise<{ answer: Answer; html: string | null }>;
}

interface GetSpec<Q extends z.ZodType> {
  /** The least that a member must be. Default: admin. */
  role?: Role;
  /** Of the API's list, say. Empty parameters count as left out. */
  query?: Q;
}

interface PostSpec<V, P extends string, B extends z.ZodType> {
  role?: Role;
  /** The schema of the API; default: nothing is looked at. */
  body?: B;
  /** How the form becomes what `body` judges. Default: every filled field as text, `a.b` as `b` within `a`. */
  read?(form: SentForm): unknown;
  /** Which of the page's forms this is, for `stateOf`. */
  form?: string;
  /** Shows the page again with what was sent and what is wrong with it. Default: back to where the form was, saying what is wrong. */
  again?(visit: V, params: ParamsOf<P>, form: FormState): Promise<Page>;
}

type Sent = { form: SentForm; json: null } | { form: null; json: unknown };

/** Throws `validation_failed` for a body that is not the form its type says, as browsers never send it. */
async function parseForm(bytes: ArrayBuffer, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new AppError("validation_failed", "The form could not be read. Go back and send it again.");
  }
}

/** Scripts send JSON and are answered errors as JSON; browsers send forms. */
async function readSent(c: Context<AppEnv>): Promise<Sent> {
  const type = c.req.header("Content-Type") ?? "";
  if (type.startsWith("application/json")) return { form: null, json: parseJsonObject(await c.req.arrayBuffer()) };
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type))
    throw new AppError("unsupported_media_type", "Send a form.");
  const values = new Map<string, string[]>();
  for (const [name, value] of await parseForm(await c.req.arrayBuffer(), type)) {
    if (typeof value !== "string") continue;
    const all = values.get(name) ?? [];
    all.push(value.replaceAll("\r\n", "\n"));
    values.set(name, all);
  }
  return { form: new SentForm(values), json: null };
}

function queryOf(c: Context<AppEnv>): Record<string, string> {
  const entries = Object.entries(c.req.query()).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(entries);
}

/** The page of ours on which a button was pressed. */
function pageBefore(c: Context<AppEnv>): string {
  const before = c.req.header("Referer") ?? "";
  if (!URL.canParse(before)) return "/console";
  const { origin, pathname, search } = new URL(before);
  return origin === new URL(c.req.url).origin ? pathname + search : "/console";
}

/** Collects pages of one audience; their paths are below its base. */
export function createPages<V extends Visit>(audience: Audience<V>) {
  const routes: Route[] = [];
  const rendered = async (visit: V, answer: Answer) => ({
    answer,
    html: answer.type === "page" ? await audience.render(visit, answer) : null,
  });
  return {
    base: audience.base,
    routes,

    get<P extends string, Q extends z.ZodType = typeof nothing>(
      path: P,
      spec: GetSpec<Q>,
      handler: (visit: V, input: { params: ParamsOf<P>; query: z.output<Q> }) => Promise<Answer> | Answer,
    ): void {
      const handle: Route["handle"] = async (c, hasPage) => {
        const visit = await audience.admit(c, { role: spec.role ?? "admin", token: undefined, hasPage });
        const query = judge(orNothing(spec.query, nothing), queryOf(c));
        return rendered(visit, await handler(visit, { params: paramsOf(path, c.req.param()), query }));
      };
      routes.push({ method: "get", path, handle });
    },

    post<P extends string, B extends z.ZodType = typeof nothing>(
      path: P,
      spec: PostSpec<V, P, B>,
      handler: (
        visit: V,
        input: { params: ParamsOf<P>; body: z.output<B>; c: Context<AppEnv> },
      ) => Promise<Answer> | Answer,
    ): void {
      const handle: Route["handle"] = async (c, hasPage) => {
        const { form, json } = await readSent(c);
        const token = form === null ? c.req.header("X-CSRF-Token") : form.takeToken();
        const visit = await audience.admit(c, { role: spec.role ?? "admin", token, hasPage });
        const params = paramsOf(path, c.req.param());
        const run = async (sent: unknown) => {
          const answer = await handler(visit, { params, body: judge(orNothing(spec.body, nothing), sent), c });
          return rendered(visit, answer);
        };
        if (form === null) return run(json);
        try {
          return await run(spec.read === undefined ? form.body() : spec.read(form));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (spec.again === undefined) return { answer: refuse(pageBefore(c), error.message), html: null };
          const page = await spec.again(visit, params, refusedForm(spec.form ?? "", form.values, error));
          return rendered(visit, { status: statusOf[error.code], ...page });
        }
      };
      routes.push({ method: "post", path, handle });
    },
  };
}

export type Pages = Pick<ReturnType<typeof createPages>, "base" | "routes">;
