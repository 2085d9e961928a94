import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { expect, test } from "vitest";
import { FixedPathsFirstRouter } from "../../src/http/router.ts";

function answersOf(app: Hono): (method: string, path: string) => Promise<string> {
  app.use(async (c, next) => {
    await next();
    c.header("X-All", "yes");
  });
  app.use("/api/*", async (c, next) => {
    await next();
    c.header("X-Api", "yes");
  });
  for (const path of [
    "/",
    "/health",
    "/api/contacts",
    "/api/contacts/batch",
    "/api/contacts/:id",
    "/manage/:ws/keys/:id",
  ])
    app.post(path, (c) =>
      c.text(`${path} ${JSON.stringify(Object.entries(c.req.param()).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`),
    );
  app.all("/api/contacts/batch", (c) => c.text("fallback"));
  app.all("/console/*", (c) => c.text("no page"));
  return async (method, path) => {
    const answer = await app.request(path, { method });
    return `${answer.status} ${answer.headers.get("X-All")} ${answer.headers.get("X-Api")} ${await answer.text()}`;
  };
}

test.each([
  ["POST", "/"],
  ["POST", "/health"],
  ["GET", "/health"],
  ["POST", "/api"],
  ["POST", "/api/contacts"],
  ["POST", "/api/contacts/"],
  ["POST", "/api/contacts/batch"],
  ["GET", "/api/contacts/batch"],
  ["POST", "/api/contacts/ct_1"],
  ["POST", "/api/contacts/%62atch"],
  ["POST", "/api/contacts/a%2Fb"],
  ["POST", "/api/contacts/a/b"],
  ["POST", "/manage/ws_1/keys/key_1"],
  ["GET", "/console"],
  ["GET", "/console/ws_1/tags/tag_1"],
  ["POST", "/console/ws_1/tags/tag_1"],
  ["GET", "/consoles"],
])("%s %s leads where a search part by part would lead", async (method, path) => {
  const fast = answersOf(new Hono({ router: new FixedPathsFirstRouter() }));
  const byPart = answersOf(new Hono({ router: new TrieRouter() }));
  expect(await fast(method, path)).toBe(await byPart(method, path));
});
