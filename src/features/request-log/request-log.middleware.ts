import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { AppEnv } from "../../http/app-env.ts";
import { loggedPath, loggedQuery } from "./request-log.paths.ts";
import { recordRequests } from "./request-log.service.ts";
import { gatherRequest } from "./report-requests.ts";

/** Hono returns a pattern with `*` if no endpoint matches the request. */
const endpointOf = (path: string): string | null => (path.includes("*") ? null : path);

export const logRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { base } = c.var;
  const at = base.now();
  await next();
  const { knownKey } = c.var;
  if (knownKey === undefined) return;
  const { pathname, searchParams } = new URL(c.req.url);
  const route = endpointOf(routePath(c, -1));
  const { now, wait, waitUntil, requestLogDelayMs } = base;
  const isolate = { now, wait, waitUntil, requestLogDelayMs, report: recordRequests(base) };
  gatherRequest(isolate, knownKey.workspaceId, {
    at,
    keyId: knownKey.keyId,
    method: c.req.method.slice(0, 10),
    route,
    path: loggedPath(pathname, route),
    query: loggedQuery(searchParams),
    status: c.res.status,
    errorCode: c.var.errorCode ?? null,
    durationMs: base.now() - at,
    requestId: base.requestId,
  });
});
