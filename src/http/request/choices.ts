import type * as z from "zod";
import type { ZodOpenApiOverrideContext } from "zod-openapi";
import { hasOwn } from "../../shared/security/own.ts";

type JsonSchema = ZodOpenApiOverrideContext["jsonSchema"];

interface Alternative {
  required: readonly string[];
  properties?: Record<string, JsonSchema>;
}

type Choice = { oneOf: readonly Alternative[] } | { anyOf: readonly Alternative[] };

export const oneOf = (fields: readonly string[]): Choice => ({ oneOf: fields.map((name) => ({ required: [name] })) });

/**
 * A request must have at least one of the fields. If a field with null does not count, pass a `value` schema that
 * excludes null.
 */
export const anyOf = (fields: readonly string[], value: JsonSchema = {}): Choice => ({
  anyOf: fields.map((name) => ({ required: [name], properties: { [name]: value } })),
});

/**
 * Repeats the parent's fields in each alternative, because strict validators and type generators ignore the
 * parent's properties there.
 */
const described = ({ required, properties = {} }: Alternative): JsonSchema => ({
  type: "object",
  properties: { ...Object.fromEntries(required.map((name) => [name, {}])), ...properties },
  required: [...required],
});

export const documentedChoices = (...choices: Choice[]) => ({
  override({ jsonSchema }: Pick<ZodOpenApiOverrideContext, "jsonSchema">) {
    const unions = choices.map((choice) =>
      hasOwn(choice, "oneOf") ? { oneOf: choice.oneOf.map(described) } : { anyOf: choice.anyOf.map(described) },
    );
    Object.assign(jsonSchema, unions.length === 1 ? unions[0] : { allOf: unions });
  },
});

const isSent = (sent: object, field: string): boolean => Reflect.get(sent, field) !== undefined;

export function requireOneOf(fields: readonly [string, ...string[]]) {
  const [usual, ...rest] = fields;
  return (sent: object, issues: z.core.$RefinementCtx): void => {
    const add = (path: string, code: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message, params: { code } });
    const [first, ...others] = fields.filter((field) => isSent(sent, field));
    if (first === undefined) {
      const alternatives = new Intl.ListFormat("en", { type: "disjunction" }).format(rest);
      add(usual, "required", `This field is required, unless ${alternatives} is sent.`);
    }
    for (const other of others) add(other, "invalid_value", `This field cannot be combined with ${first}.`);
  };
}
