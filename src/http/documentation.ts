import type { Context } from "hono";
import { sha256Hex } from "../shared/security/crypto.ts";
import { lazily } from "../shared/memo.ts";
import { includesVersion } from "../shared/versions.ts";
import type { AppEnv } from "./app-env.ts";
import type { Route } from "./mount.ts";
import type { DocumentParts, Api } from "./openapi/openapi.ts";

export function documentationRoutes(load: () => Promise<{ apis: Api[]; parts: DocumentParts }>): Route[] {
  const loadDocument = lazily(async () => {
    const { describeApi } = await import("./openapi/openapi.ts");
    const { apis, parts } = await load();
    const text = JSON.stringify(describeApi(apis, parts));
    return { text, etag: `"${await sha256Hex(new TextEncoder().encode(text))}"` };
  });
  return [
    {
      method: "get",
      path: "/openapi.json",
      handlers: [
        async (c) => {
          const { text, etag } = await loadDocument();
          const headers = { ETag: etag, "Cache-Control": "public, max-age=0, must-revalidate" };
          return includesVersion(c.req.header("If-None-Match") ?? null, etag)
            ? c.body(null, 304, headers)
            : c.body(text, 200, { ...headers, "Content-Type": "application/json; charset=UTF-8" });
        },
      ],
    },
    { method: "get", path: "/docs/*", handlers: [(c) => respondWithPage(c)] },
  ];
}

/** The platform serves existing pages before the Worker runs, so a request that arrives here normally gets a 404. */
async function respondWithPage(c: Context<AppEnv>): Promise<Response> {
  const page = await c.env.ASSETS.fetch(c.req.raw);
  if (page.status !== 404) return c.newResponse(page.body, page);
  const { body, headers } = await c.env.ASSETS.fetch(new URL("/docs/404", c.req.url));
  return c.newResponse(body, { status: 404, headers });
}
