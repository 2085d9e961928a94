import { cruise } from "dependency-cruiser";
import { expect, test } from "vitest";
import rules from "./rules.ts";

/** What the Worker runs as it starts: `src/index.ts` and what it imports, but for dynamic imports and those of types. */
async function evaluatedAtStart(): Promise<Set<string>> {
  const { output } = await cruise(["src"], rules.options);
  if (typeof output === "string") throw new Error(output);
  const modules = new Map(output.modules.map((module) => [module.source, module]));
  const reached = new Set(["src/index.ts"]);
  for (const source of reached) {
    for (const { resolved, dynamic, dependencyTypes } of modules.get(source)?.dependencies ?? []) {
      if (!dynamic && !dependencyTypes.includes("type-only")) reached.add(resolved);
    }
  }
  return reached;
}

const reached = [...(await evaluatedAtStart())];

test("The search follows what starts with the Worker", () => {
  expect(reached.length).toBeGreaterThan(200);
  expect(reached).toContain("src/features/messages/send/send-message.ts");
  expect(reached.filter((file) => file.includes("node_modules/drizzle-orm"))).not.toEqual([]);
});

test.each([
  ["the console", /^src\/console\//],
  ["the API's documentation", /^src\/documentation\/|^src\/http\/openapi|node_modules\/zod-openapi\//],
  ["the consumers of queues and the cron's jobs", /^src\/entrypoints\/(?:queue|scheduled)\.ts$/],
  ["the channels to providers", /^src\/channels\/(?:sandbox|waha|whatsapp-cloud)\//],
  ["MCP", /^src\/http\/mcp|node_modules\/@modelcontextprotocol\//],
  ["the sign-in library", /identity\.sql\.ts$|node_modules\/better-auth\//],
  ["example numbers of phones", /example-phone\.ts$|mobile\/examples/],
  ["scripts of browsers", /papaparse/],
])("A Worker starts without %s, which loads with its first use", (_, files) => {
  expect(reached.filter((file) => files.test(file))).toEqual([]);
});
