import type { Context } from "hono";
import { lazily } from "../shared/lazily.ts";
import type { AppEnv } from "./app-env.ts";
import type { Route } from "./mount.ts";
import type { DocumentParts, Surface } from "./openapi.ts";

/** The OpenAPI document, made once an isolate, when first asked for; and pages of the documentation, which is among the assets. */
export function documentationRoutes(surfaces: readonly Surface[], load: () => Promise<DocumentParts>): Route[] {
  const loadDocument = lazily(async () => (await import("./openapi.ts")).describeApi(surfaces, await load()));
  return [
    { method: "get", path: "/openapi.json", handle: async (c) => c.json(await loadDocument()) },
    { method: "get", path: "/docs/*", handle: async (c) => respondWithPage(c) },
  ];
}

/** Pages that are there are served before the Worker runs, so this is normally the page that says so of one that is not. */
async function respondWithPage(c: Context<AppEnv>): Promise<Response> {
  const page = await c.env.ASSETS.fetch(c.req.raw);
  if (page.status !== 404) return c.newResponse(page.body, page);
  const { body, headers } = await c.env.ASSETS.fetch(new URL("/docs/404", c.req.url));
  return c.newResponse(body, { status: 404, headers });
}
