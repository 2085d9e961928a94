import { Hono, type MiddlewareHandler } from "hono";
import { authenticate, identifyKey, requirePermission } from "../features/api-keys/api-keys.middleware.ts";
import { logRequests } from "../features/request-log/request-log.middleware.ts";
import { authenticateManager } from "../features/workspaces/workspaces.middleware.ts";
import type { AppEnv } from "../http/app-env.ts";
import { requireOwnOrigin } from "../http/request/forgery.ts";
import { mount, type Route } from "../http/mount.ts";
import { limitJson } from "../http/request/read-body.ts";
import { type Feature, loadEndpoints, type LazyApi, lazyPublicApi } from "./features.ts";
import { prepareRequests } from "./prepare-requests.ts";

export function createRoutesApp(routes: readonly Route[], base = "", middleware: MiddlewareHandler<AppEnv>[] = []) {
  const app = new Hono<AppEnv>();
  prepareRequests(app);
  if (middleware.length > 0) app.use(...middleware);
  mount(app, base, routes);
  return app;
}

export async function createFeatureApp({ base, security }: LazyApi, features: readonly Feature[]) {
  const endpoints = await loadEndpoints(features);
  const middleware =
    security === "apiKey" ? [logRequests, authenticate, requirePermission(base, endpoints)] : [authenticateManager];
  return createRoutesApp(endpoints, base, middleware);
}

export async function createMcpApp() {
  const { createMcp } = await import("../http/mcp/mcp.ts");
  const { base, features } = lazyPublicApi;
  const respond = createMcp({
    endpoints: await loadEndpoints(features),
    base,
    requirePermission,
  });
  const identify: MiddlewareHandler<AppEnv> = async (c, next) => {
    requireOwnOrigin(c);
    await identifyKey(c);
    await next();
  };
  return createRoutesApp([{ method: "post", path: "/mcp", handlers: [identify, limitJson, respond] }], "", [
    logRequests,
  ]);
}
