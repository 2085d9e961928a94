import { beforeAll, expect, it } from "vitest";
import { surfaces } from "../support/surfaces.ts";
import { REPORT, toFaults } from "../../src/shared/faults.ts";
import { resolveIn } from "../support/api-document.ts";
import { type Answer, World } from "../support/world.ts";

type Schema = Answer["body"];
type Path = readonly (string | number)[];

interface Bound {
  path: Path;
  schema: Schema;
  /** Returns a request with a value at the path, and as few other fields as possible. */
  at(value: unknown): unknown;
}

let document: Schema;

beforeAll(async () => {
  document = (await new World().request("GET", "/openapi.json")).body;
});

/** The constant fields, which distinguish the variants of a union. */
const constants = (schema: Schema): object =>
  Object.fromEntries(
    Object.entries<Schema>(schema.properties ?? {}).flatMap(([name, inner]) =>
      inner.const === undefined && inner.enum === undefined ? [] : [[name, inner.const ?? inner.enum[0]]],
    ),
  );

/** Yields every string, number and list of a schema that has a bound. */
function* boundsOf(sent: Schema, path: Path = [], at: Bound["at"] = (value) => value, depth = 0): Generator<Bound> {
  const schema = resolveIn(document, sent);
  if (depth > 12) return;
  if (["maxLength", "minLength", "maximum", "minimum", "maxItems", "minItems"].some((name) => name in schema))
    yield { path, schema, at };
  for (const variant of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* boundsOf(variant, path, at, depth + 1);
  for (const [name, inner] of Object.entries<Schema>(schema.properties ?? {}))
    yield* boundsOf(inner, [...path, name], (value) => at({ ...constants(schema), [name]: value }), depth + 1);
  if (schema.items !== undefined) yield* boundsOf(schema.items, [...path, 0], (value) => at([value]), depth + 1);
}

/** Yields pairs of values: one at the bound, and one just beyond it. */
function* valuesFor({ type, ...schema }: Schema): Generator<{ inside: unknown; beyond: unknown }> {
  const text = (length: number) => "x".repeat(length);
  const item = schema.items?.type === "string" ? "x" : null;
  const list = (length: number) => Array.from({ length }, () => item);
  const types = [type].flat();
  if (types.includes("string") && schema.maxLength !== undefined)
    yield { inside: text(schema.maxLength), beyond: text(schema.maxLength + 1) };
  if (types.includes("string") && schema.minLength > 0)
    yield { inside: text(schema.minLength), beyond: text(schema.minLength - 1) };
  if (types.includes("array") && schema.maxItems !== undefined)
    yield { inside: list(schema.maxItems), beyond: list(schema.maxItems + 1) };
  if (types.includes("array") && schema.minItems > 0)
    yield { inside: list(schema.minItems), beyond: list(schema.minItems - 1) };
  if (types.includes("number") || types.includes("integer")) {
    if (schema.maximum !== undefined) yield { inside: schema.maximum, beyond: schema.maximum + 1 };
    if (schema.minimum !== undefined) yield { inside: schema.minimum, beyond: schema.minimum - 1 };
  }
}

const isSize = (code: string | undefined) => code === "too_big" || code === "too_small";

/**
 * A fault without a size counts only if the value at the bound does not have it, because a union reports the faults of
 * all its variants.
 */
const isBound = (inside: readonly (string | undefined)[], beyond: readonly (string | undefined)[]) =>
  beyond.some(isSize) || (inside.length === 0 && beyond.length > 0);

it("The documented limits of request bodies match the validator", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { base, endpoints } of surfaces)
    for (const { method, path, body } of endpoints) {
      const operation = document.paths[base + path.replace(/:(\w+)/g, "{$1}")]?.[method];
      const content = operation?.requestBody?.content["application/json"];
      if (body === undefined || content === undefined) continue;
      const faultsAt = (bound: Bound, value: unknown) => {
        const { error } = body.safeParse(bound.at(value), REPORT);
        const faults = error === undefined ? [] : toFaults(error, "");
        return faults.filter((fault) => fault.path === bound.path.join(".")).map(({ code }) => code);
      };
      for (const bound of boundsOf(content.schema)) {
        // Rows of a batch have the schema of the single call, and the handler checks the settings of a provider.
        if ((path.endsWith("/batch") && bound.path.length > 1) || bound.path[0] === "config") continue;
        for (const { inside, beyond } of valuesFor(bound.schema)) {
          count += 1;
          const name = `${method} ${base}${path} ${bound.path.join(".")}`;
          const atBound = faultsAt(bound, inside);
          if (atBound.some(isSize)) wrong.push(`${name} refuses its bound`);
          if (!isBound(atBound, faultsAt(bound, beyond)))
            wrong.push(`${name} accepts one beyond: ${JSON.stringify(bound.schema).slice(0, 200)}`);
        }
      }
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(300);
});

it("The documented limits of query parameters match the validator", async () => {
  const customer = await new World().customer();
  const wrong: string[] = [];
  let count = 0;
  for (const [path, operations] of Object.entries<Schema>(document.paths)) {
    if (!path.startsWith("/api/v1/") || path.includes("{")) continue;
    for (const sent of operations.get?.parameters ?? []) {
      const parameter = resolveIn(document, sent);
      if (parameter.in !== "query") continue;
      for (const { inside, beyond } of valuesFor(resolveIn(document, parameter.schema))) {
        count += 1;
        const codesOf = async (value: unknown) => {
          const query = new URLSearchParams({ [parameter.name]: String(value) });
          const { body } = await customer.call("GET", `${path.slice("/api/v1".length)}?${query.toString()}`);
          const faults: Schema[] = Array.isArray(body.error?.details) ? body.error.details : [];
          return faults.filter(({ path: at }) => at === `query.${parameter.name}`).map(({ code }) => code);
        };
        const atBound = await codesOf(inside);
        if (atBound.some(isSize)) wrong.push(`${path} ${parameter.name} refuses its bound`);
        if (!isBound(atBound, await codesOf(beyond))) wrong.push(`${path} ${parameter.name} accepts one beyond`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(30);
});
