import { lazily } from "../shared/lazily.ts";
import type { Route } from "./mount.ts";
import type { Documented, Surface } from "./openapi.ts";

/** The OpenAPI document and the reference page drawn from it; both are made once an isolate, when first asked for. */
export function documentationRoutes(surfaces: readonly Surface[], load: () => Promise<Documented>): Route[] {
  const loadDocument = lazily(async () => (await import("./openapi.ts")).describeApi(surfaces, await load()));
  const loadPage = lazily(async () => (await import("./docs-page.tsx")).renderPage(await loadDocument()));
  return [
    { method: "get", path: "/openapi.json", handle: async (c) => c.json(await loadDocument()) },
    {
      method: "get",
      path: "/docs",
      handle: async (c) => {
        const { pageFor, policy } = await loadPage();
        c.header("Content-Security-Policy", policy);
        return c.html(pageFor(new URL(c.req.url).origin));
      },
    },
  ];
}
