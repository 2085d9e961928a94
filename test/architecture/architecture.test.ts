import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBreaches, readImports } from "../../scripts/check-imports.ts";

/** Writes files with these imports, and returns the names of the broken rules. */
function brokenRules(tree: Record<string, string[]>): string[] {
  const root = mkdtempSync(join(tmpdir(), "tidings-architecture-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of new Set(Object.entries(tree).flat(2))) {
    if (!file.startsWith("src/")) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), (tree[file] ?? []).map((target) => importOf(file, target)).join(""));
  }
  return [...new Set(findBreaches(readImports(root)).map(({ rule }) => rule.name))];
}

function importOf(file: string, target: string): string {
  if (!target.startsWith("src/")) return `import "${target}";\n`;
  const path = relative(dirname(file), target);
  return `import type { X } from "${path.startsWith(".") ? path : `./${path}`}";\nexport type { X };\n`;
}

const feature = (name: string, role = "service") => `src/features/${name}/${name}.${role}.ts`;

test.each([
  ["layer-shared", "src/shared/clock.ts", "src/http/response/errors.ts"],
  ["layer-db", "src/db/client.ts", "src/http/response/errors.ts"],
  ["layer-channels", "src/channels/sandbox/sandbox.ts", "src/db/client.ts"],
  ["layer-http", "src/http/app.ts", feature("contacts", "middleware")],
  ["layer-features", feature("inbound"), "src/console/page.tsx"],
  ["layer-console", "src/console/page.tsx", "src/db/client.ts"],
  ["layer-documentation", "src/documentation/document-parts.ts", "src/console/page.tsx"],
  ["layer-entrypoints", "src/entrypoints/http.ts", "src/index.ts"],
  ["rank-0", feature("events"), feature("idempotency")],
  ["rank-2", feature("tags"), feature("contacts")],
  ["rank-2", feature("tags"), feature("custom-fields")],
  ["rank-3", feature("contacts"), feature("connections")],
  ["rank-6", feature("messages"), feature("campaigns")],
  ["rank-7", feature("people"), feature("inbound")],
  ["rank-8", feature("campaigns"), feature("inbound")],
  ["feature-has-a-rank", feature("messages"), feature("surprises")],
  ["index-names-entries-only", "src/index.ts", "src/http/app.ts"],
  ["entry-files-are-entered-only", "src/shared/clock.ts", "src/index.ts"],
  ["entrypoints-do-not-query", "src/entrypoints/queue.ts", feature("messages", "sql")],
  ["other-features-inside-is-private", feature("messages"), feature("contacts", "object")],
  ["other-features-inside-is-private", feature("messages", "object"), feature("contacts", "jobs")],
  ["console-calls-services", "src/console/page.tsx", feature("contacts", "sql")],
  ["console-knows-contents-only", "src/console/page.tsx", "src/channels/channel.ts"],
  ["http-stays-at-the-door", feature("messages"), "src/http/response/errors.ts"],
  ["http-stays-at-the-door", "src/features/messages/send/send-message.ts", "hono"],
  ["hono-stays-at-the-door", "src/shared/context.ts", "hono/factory"],
  ["drizzle-stays-behind-the-door", feature("messages", "routes"), "drizzle-orm"],
  ["drizzle-stays-behind-the-door", "src/http/app.ts", "drizzle-orm/d1"],
  ["routes-do-not-query", feature("messages", "routes"), feature("messages", "sql")],
  ["routes-do-not-query", feature("messages", "routes"), "src/db/client.ts"],
  ["pure-parts-are-pure", feature("templates", "render"), feature("templates")],
  ["feature-files-have-roles", feature("messages"), "src/features/messages/helpers.ts"],
  ["feature-files-have-roles", feature("messages"), "src/features/messages/send/sub/send-message.ts"],
  ["no-barrels", "src/http/app.ts", "src/shared/index.ts"],
])("The rule %s forbids %s from importing %s", (rule, from, to) => {
  expect(brokenRules({ [from]: [to] })).toContain(rule);
});

test("Import cycles are forbidden, including cycles of type imports", () => {
  const [a, b] = ["src/shared/a.ts", "src/shared/b.ts"];
  expect(brokenRules({ [a]: [b], [b]: [a] })).toEqual(["no-cycle"]);
});

test("Imports in the allowed direction are accepted", () => {
  expect(
    brokenRules({
      "src/index.ts": ["src/entrypoints/http.ts", feature("rate-limits", "object")],
      "src/entrypoints/http.ts": [feature("messages", "routes"), feature("api-keys", "middleware"), "src/http/app.ts"],
      [feature("messages", "routes")]: [feature("messages"), feature("messages", "schemas"), "src/http/app.ts", "hono"],
      [feature("messages")]: [
        "src/features/messages/send/send-message.ts",
        feature("messages", "sql"),
        feature("contacts"),
        feature("contacts", "sql"),
        "src/channels/channel.ts",
      ],
      "src/features/messages/send/send-message.ts": ["src/features/messages/send/claims.sql.ts"],
      "src/features/messages/send/claims.sql.ts": ["src/db/schema/index.ts", "drizzle-orm"],
      [feature("templates", "render")]: ["src/shared/errors.ts"],
      "src/console/page.tsx": [feature("campaigns"), "src/http/app.ts"],
      "src/db/schema/index.ts": ["src/db/schema/messages.ts"],
      "src/db/schema/messages.ts": ["drizzle-orm/sqlite-core"],
    }),
  ).toEqual([]);
});

test("The import rules also apply to imports in expressions, types and exports", () => {
  const root = mkdtempSync(join(tmpdir(), "tidings-imports-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "src"));
  const lines = [
    'import a from "a";',
    'import type { B } from "./b.ts";',
    'import "c";',
    'export * from "../d.ts";',
    'export { e } from "e";',
    'export const f = () => import("f/g");',
    'export type H = import("h").H<B>;',
    "export { a };",
  ];
  writeFileSync(join(root, "src/index.ts"), lines.join("\n"));
  const imports = readImports(root);
  expect(imports.map(({ to }) => to)).toEqual(["a", "src/b.ts", "c", "d.ts", "e", "f/g", "h"]);
  expect(imports.filter(({ isEager }) => isEager).map(({ to }) => to)).toEqual(["a", "c", "d.ts", "e"]);
});
