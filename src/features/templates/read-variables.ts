// Reads the values that a caller sends for a template's variables. Pure.
import type { Fault } from "../../shared/errors.ts";

/** Values as they are sent: a list for positions, or by name. */
export type SentVariables = readonly string[] | Record<string, string>;

const POSITION = /^\d/;

/** Values by name, and their faults for this template. A list holds the values of positions in order. */
export function readVariables(
  { variables }: { variables: readonly string[] },
  sent: SentVariables,
  path = "variables",
): { values: Map<string, string>; faults: Fault[] } {
  const isList = Array.isArray(sent);
  const names = isList ? variables.filter((name) => POSITION.test(name)) : variables;
  const entries = isList ? sent.map((value, at) => [String(at + 1), value] as const) : Object.entries(sent);
  if (!isList) {
    const unknown = entries.filter(([name]) => !names.includes(name));
    return {
      values: new Map(entries),
      faults: unknown.map(([name]) => ({
        path: `${path}.${name}`,
        code: "unknown_field",
        message: "The template has no variable of this name.",
      })),
    };
  }
  const needsNames = names.length < variables.length;
  const fault = needsNames
    ? { code: "invalid_type", message: "The template's variables have names; send an object of name → value." }
    : {
        code: "too_big",
        message: `The template takes ${names.length === 1 ? "one value" : `${names.length} values`}.`,
      };
  return { values: new Map(entries), faults: entries.length > names.length ? [{ path, ...fault }] : [] };
}
