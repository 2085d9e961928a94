import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import * as z from "zod";

const source = readFileSync("sdk/openapi.json", "utf8");
const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(source));

const operation = z.object({ tags: z.array(z.string()), security: z.array(z.record(z.string(), z.unknown())) });
const components = z.record(z.string(), z.record(z.string(), z.unknown()));
const document = z
  .object({
    info: z.object({ contact: z.object({ name: z.string() }) }),
    tags: z.array(z.object({ name: z.string(), description: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components,
  })
  .parse(parsed);

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it("The OpenAPI document matches the schema of OpenAPI 3.1", { tags: "long" }, async () => {
  expect(await new Validator().validate(structuredClone(parsed))).toEqual({ valid: true });
});

it("Every schema of the OpenAPI document compiles under a strict validator of JSON Schema", { tags: "long" }, () => {
  const schemas = JSON.parse(
    JSON.stringify(document.components["schemas"]).replaceAll("#/components/schemas/", "api#/$defs/"),
  );
  const validator = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true });
  validator.addVocabulary(["discriminator", "example"]);
  validator.addSchema({ $defs: schemas }, "api");
  for (const name of Object.keys(schemas))
    expect(() => validator.compile({ $ref: `api#/$defs/${name}` }), name).not.toThrow();
});

it("The OpenAPI document declares every tag and security scheme that operations name", () => {
  const tags = document.tags.map(({ name }) => name);
  expect(new Set(operations.flatMap((each) => each.tags))).toEqual(new Set(tags));
  const schemes = Object.keys(document.components["securitySchemes"] ?? {});
  expect(new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))).toEqual(new Set(schemes));
});

it("Every component of the OpenAPI document is used", () => {
  const names = Object.entries(document.components).flatMap(([kind, named]) =>
    kind === "securitySchemes" ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !source.includes(`"${name}"`))).toEqual([]);
});

it("No two paths of the OpenAPI document differ only in the names of their parameters", () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
});

it("The OpenAPI document contains no Markdown that runs scripts", () => {
  expect(source).not.toMatch(/<script|\beval\(/);
});
