import { expect, test } from "vitest";
import { readImports } from "../../scripts/check-imports.ts";

/** Returns the modules that run when the Worker starts: `src/index.ts` and its static imports, without type imports. */
function evaluatedAtStart(): Set<string> {
  const imports = Map.groupBy(
    readImports(".").filter(({ isEager }) => isEager),
    ({ from }) => from,
  );
  const reached = new Set(["src/index.ts"]);
  for (const source of reached) {
    for (const { to } of imports.get(source) ?? []) reached.add(to);
  }
  return reached;
}

const reached = [...evaluatedAtStart()];

test("The check for start-up imports finds the modules that load when the Worker starts", () => {
  expect(reached).toContain("src/features/rate-limits/rate-limits.object.ts");
  expect(reached).toContain("src/shared/security/crypto.ts");
  expect(reached.filter((file) => file.startsWith("drizzle-orm"))).not.toEqual([]);
});

test("When a Worker starts, it loads the classes of its Durable Objects, and no other feature code", () => {
  const features = reached.flatMap((file) => /^src\/features\/([^/]+)/.exec(file)?.slice(1) ?? []);
  expect([...new Set(features)].toSorted()).toEqual([
    "campaigns",
    "event-feed",
    "pacing",
    "rate-limits",
    "request-log",
    "scans",
  ]);
  expect(reached.filter((file) => file.startsWith("src/")).length).toBeLessThanOrEqual(70);
});

test.each([
  ["endpoints", /\.routes\.ts$/],
  ["statements", /\.sql\.ts$|^src\/db\/schema\//],
  ["phone numbers", /^libphonenumber/],
  ["the console", /^src\/console\//],
  ["the API's documentation", /^src\/documentation\/|^src\/http\/openapi|^zod-openapi/],
  ["queue consumers and cron jobs", /^src\/entrypoints\/(?:queue|scheduled)\.ts$/],
  ["the channels to providers", /^src\/channels\/(?:sandbox|waha|whatsapp-cloud)\//],
  ["MCP", /^src\/http\/mcp|^@modelcontextprotocol\//],
  ["the sign-in library", /identity\.sql\.ts$|^better-auth/],
  ["example numbers of phones", /example-phone\.ts$|mobile\/examples/],
  ["scripts of browsers", /papaparse/],
])("A Worker starts without %s and loads it on first use", (_, files) => {
  expect(reached.filter((file) => files.test(file))).toEqual([]);
});
