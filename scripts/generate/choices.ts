import * as z from "zod";
import { hasOwn } from "../../src/shared/security/own.ts";

// The document lists every field as optional, and the required fields of each alternative beside them (src/http/request/choices.ts).
// This file turns such an object into a union of its alternatives.

const json = z.record(z.string(), z.unknown());
type Json = z.output<typeof json>;

const alternatives = z
  .array(z.object({ properties: z.record(z.string(), json), required: z.array(z.string()) }))
  .min(1);
const choice = z.union([z.strictObject({ oneOf: alternatives }), z.strictObject({ anyOf: alternatives })]);
const nullable = z.object({ anyOf: z.array(json) });

const objectWithChoices = z.looseObject({
  properties: z.record(z.string(), json),
  required: z.array(z.string()).default([]),
  oneOf: alternatives.optional(),
  anyOf: alternatives.optional(),
  allOf: z.array(choice).optional(),
});

/** A schema without valid values. The generator renders it as `never`. */
const NEVER: Json = { enum: [] };

/** The schema of a field in an alternative: the object's own, unless the alternative narrows it. */
function narrowed(own: Json = {}, by: Json = {}): Json {
  const [keyword, ...others] = Object.keys(by);
  if (keyword === undefined) return own;
  if (keyword !== "type" || others.length > 0) return by;
  const description = own["description"];
  const found = nullable.safeParse(own).data?.anyOf.find(({ type }) => type === by["type"]) ?? by;
  return description === undefined ? found : { description, ...found };
}

function asUnions(object: z.output<typeof objectWithChoices>): Json {
  const { properties, required, oneOf, anyOf, allOf = [], ...rest } = object;
  const choices = [...allOf, ...(oneOf ? [{ oneOf }] : []), ...(anyOf ? [{ anyOf }] : [])];
  const chosen = new Set<string>();
  const unions = choices.map((each) => {
    const isExact = hasOwn(each, "oneOf");
    const options = hasOwn(each, "oneOf") ? each.oneOf : each.anyOf;
    const names = [...new Set(options.flatMap((option) => Object.keys(option.properties)))];
    if (isExact) for (const name of names) chosen.add(name);
    const variants = options.map((option) => ({
      type: "object",
      properties: Object.fromEntries(
        names.flatMap((name) => {
          if (Object.hasOwn(option.properties, name))
            return [[name, narrowed(properties[name], option.properties[name])]];
          return isExact ? [[name, NEVER]] : [];
        }),
      ),
      required: option.required,
    }));
    // TypeScript reports errors against the last member, so the usual alternative is last.
    return { anyOf: variants.toReversed() };
  });
  const isShared = (name: string) => !chosen.has(name);
  const shared = Object.entries(properties).filter(([name]) => isShared(name));
  return {
    ...rest,
    properties: Object.fromEntries(shared),
    required: required.filter(isShared),
    allOf: unions,
  };
}

/** The value with every object that has choices, at any depth, as a union. */
export function withUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnions);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withUnions(each)]));
  const parsed = objectWithChoices.safeParse(inner);
  const isChoice = parsed.success && (parsed.data.oneOf ?? parsed.data.anyOf ?? parsed.data.allOf) !== undefined;
  return isChoice ? asUnions(parsed.data) : inner;
}
