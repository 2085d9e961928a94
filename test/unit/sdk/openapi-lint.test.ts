import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import { Json } from "@stoplight/spectral-parsers";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";

it(
  "The OpenAPI document passes Redocly's recommended rules and Spectral's rules for OpenAPI",
  { tags: "long" },
  async () => {
    const source = readFileSync("sdk/openapi.json", "utf8");

    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual(
      [],
    );

    const linter = new spectral.Spectral();
    linter.setRuleset(new spectral.Ruleset({ extends: [oas] }));
    const results = await linter.run(new spectral.Document(source, Json));
    expect(results.map(({ code, message, path }) => ({ code, message, at: path.join("/") }))).toEqual([]);
  },
);
