import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";

const source = readFileSync("sdk/openapi.json", "utf8");

it(
  "The OpenAPI document passes Redocly's recommended rules, declares every tag and names a contact",
  { tags: "long" },
  async () => {
    const rules = { "operation-tag-defined": "error", "info-contact": "error" } as const;
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual(
      [],
    );
  },
);

it("The OpenAPI document has no Markdown that runs scripts", () => {
  expect(source).not.toMatch(/<script|\beval\(/);
});
