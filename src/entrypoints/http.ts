import { type Context, Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { documentationRoutes } from "../http/documentation.ts";
import { ICON_PATH, iconResponse } from "../http/response/icon.ts";
import { mount, type Route } from "../http/mount.ts";
import { lazily } from "../shared/memo.ts";
import { sendingState } from "../shared/sending.ts";
import { respondWithAbout } from "./about.ts";
import { type Feature, lazyApis, loadApis } from "./features.ts";
import { prepareRequests } from "./prepare-requests.ts";

/** Loads an app only at its first request, so that an isolate evaluates only the code that it needs. */
function delegate(load: () => Promise<Hono<AppEnv>>) {
  const loadOnce = lazily(load);
  return async (c: Context<AppEnv>) => (await loadOnce()).fetch(c.req.raw, c.env, c.executionCtx);
}

const loadApi = () => import("./api.ts");

async function respondWithHealth(c: Context<AppEnv>): Promise<Response> {
  if (c.req.query("deep") !== "1") return c.json({ success: true, status: "ok", sending: sendingState(c.get("base")) });
  return (await import("./deep-health.ts")).respondWithDeepHealth(c);
}

const openRoutes: Route[] = [
  { method: "get", path: "/", handlers: [respondWithAbout] },
  { method: "get", path: "/health", handlers: [respondWithHealth] },
  { method: "get", path: ICON_PATH, handlers: [(c) => iconResponse(c.req.query("unread") !== undefined)] },
  ...documentationRoutes(async () => {
    const { documentParts } = await import("../documentation/document-parts.ts");
    return { apis: await loadApis(), parts: documentParts };
  }),
];

export const loadConsole = lazily(async () => {
  const { mountConsole } = await import("../console/console.ts");
  const consoleApp = new Hono<AppEnv>();
  prepareRequests(consoleApp);
  mountConsole(consoleApp);
  return consoleApp;
});

/** Sorts patterns with a wildcard last, because Hono uses the first pattern that matches. */
function byPattern(features: readonly Feature[]): [pattern: string, features: Feature[]][] {
  const patterns = [...new Set(features.flatMap(({ paths }) => paths)), "/*"];
  return patterns
    .toSorted((a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")))
    .map((pattern) => [pattern, features.filter(({ paths }) => paths.includes(pattern))]);
}

export const app = new Hono<AppEnv>();
app.all("/console/*", delegate(loadConsole));
app.all(
  "/hooks/*",
  delegate(async () => {
    const { hookRoutes } = await import("../features/inbound/inbound.routes.ts");
    return (await loadApi()).createRoutesApp(hookRoutes);
  }),
);
app.all(
  "/media/*",
  delegate(async () => {
    const { mediaLinkRoutes } = await import("../features/media/media.routes.ts");
    return (await loadApi()).createRoutesApp(mediaLinkRoutes);
  }),
);
app.all(
  "/mcp",
  delegate(async () => (await loadApi()).createMcpApp()),
);
for (const api of lazyApis)
  for (const [pattern, features] of byPattern(api.features))
    app.all(
      api.base + pattern,
      delegate(async () => (await loadApi()).createFeatureApp(api, features)),
    );
prepareRequests(app);
mount(app, "", openRoutes);
