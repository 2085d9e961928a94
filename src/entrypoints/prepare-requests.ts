import type { Context, Hono, MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { meter } from "../http/response/cost.ts";
import { respondWithError } from "../http/response/errors.ts";
import { redirectInsecure } from "../http/request/secure-transport.ts";
import { constantTimeEqual } from "../shared/security/crypto.ts";
import { AppError } from "../shared/errors.ts";
import { createBaseCtx, newRequestId } from "./base-context.ts";
import { requireConfiguration } from "./configuration.ts";

const securityHeaders = Object.entries({
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Frame-Options": "SAMEORIGIN",
});

const REQUEST_ID = /^[\w\-=]{1,255}$/;

const setCommonHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sent = c.req.header("X-Request-Id");
  const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : newRequestId();
  c.set("requestId", requestId);
  c.header("X-Request-Id", requestId);
  await next();
  const { headers } = c.res;
  for (const [name, value] of securityHeaders) headers.set(name, value);
};

export function prepareRequests(app: Hono<AppEnv>): void {
  app.onError(respondWithError);
  app.notFound(() => {
    throw new AppError("not_found", "This path does not exist. GET /openapi.json lists all paths.");
  });

  app.use(setCommonHeaders);
  app.use(async (c, next) => {
    const redirect = redirectInsecure(c);
    if (redirect !== null) return redirect;
    requireConfiguration(c.env);
    const cost = c.env.EXPOSE_COST === "true" ? meter(c.env) : null;
    if (cost !== null) c.env = cost.env;
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const requestId = c.get("requestId");
    const chosenIds = await readChosenIds(c);
    const { signal } = c.req.raw;
    c.set("base", createBaseCtx(c.env, { requestId, actor: { type: "system" }, chosenIds, signal, waitUntil }));
    await next();
    if (cost !== null) c.header("Server-Timing", cost.header());
    return undefined;
  });
}

/**
 * With the header `Tidings-Chosen-Ids: <ADMIN_TOKEN> <id>,<id>`, the operator can choose the ids of the records
 * that the request creates.
 */
async function readChosenIds(c: Context<AppEnv>): Promise<string[]> {
  const [token, ids = ""] = c.req.header("Tidings-Chosen-Ids")?.split(" ") ?? [];
  const { ALLOW_CHOSEN_IDS, ADMIN_TOKEN } = c.env;
  if (ALLOW_CHOSEN_IDS !== "true" || !token || !ADMIN_TOKEN) return [];
  return (await constantTimeEqual(token, ADMIN_TOKEN)) ? ids.split(",") : [];
}
