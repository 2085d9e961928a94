// Meta's rules for variables and examples:
// developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
import type { Fault } from "../../../shared/errors.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const POSITION = /^[1-9]\d{0,2}$/;
const NAME = /^[a-z_][a-z0-9_]{0,59}$/;

export type Parameters = "positional" | "named";

const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name.trim())),
];

const isPosition = (name: string): boolean => POSITION.test(name);

export const parametersOf = (texts: readonly string[]): Parameters =>
  texts.some((text) => namesIn(text).some((name) => NAME.test(name))) ? "named" : "positional";

const fault = (path: string, code: string, message: string): Fault => ({ path, code, message });

function findNameFaults(path: string, text: string, parameters: Parameters): Fault[] {
  if (/\{\{|\}\}/.test(text.replaceAll(PLACEHOLDER, "")))
    return [fault(path, "unclosed_variable", "A variable requires two pairs of braces, like {{1}}.")];
  const names = namesIn(text);
  const odd = names.find((name) => !isPosition(name) && !NAME.test(name));
  if (odd !== undefined) {
    const message = `{{${odd}}}: a variable is a position, like {{1}}, or a name of a–z, 0–9 and _.`;
    return [fault(path, "invalid_variable", message)];
  }
  if (parameters === "named") {
    const message = "Use either positions, like {{1}}, or names, like {{name}}, in all texts of a template.";
    return names.some(isPosition) ? [fault(path, "mixed_variables", message)] : [];
  }
  const gap = names.findIndex((_, index) => !names.includes(String(index + 1)));
  if (gap < 0) return [];
  return [fault(path, "missing_position", `Positions must start at 1 without gaps; {{${gap + 1}}} is missing.`)];
}

interface Examples {
  list: readonly string[] | undefined;
  named: readonly { param_name: string }[] | undefined;
}

export interface ExampledText {
  path: string;
  text: string;
  examples: Examples;
  fields: { list: string; named: string };
}

function findExampleFaults(path: string, { text, examples, fields }: ExampledText, parameters: Parameters): Fault[] {
  const names = namesIn(text);
  const at = (field: string) => `${path}.example.${field}`;
  const [wanted, other] = parameters === "named" ? [fields.named, fields.list] : [fields.list, fields.named];
  const [given, odd] =
    parameters === "named"
      ? [examples.named?.map(({ param_name }) => param_name), examples.list]
      : [examples.list, examples.named];
  if (odd !== undefined && names.length > 0)
    return [fault(at(other), "invalid_value", `The variables are ${parameters}. Send ${wanted}.`)];
  if (names.length === 0) {
    const extra = given === undefined ? other : wanted;
    return given === undefined && odd === undefined
      ? []
      : [fault(at(extra), "unknown_field", "The text has no variable, so it has no example.")];
  }
  if (given === undefined) return [fault(at(wanted), "required", "Must have an example of each variable.")];
  const fits =
    given.length === names.length && (parameters === "positional" || names.every((name) => given.includes(name)));
  return fits ? [] : [fault(at(wanted), "invalid_value", `Must have one example of each: ${names.join(", ")}.`)];
}

export function findTextFaults(exampled: ExampledText, parameters: Parameters): Fault[] {
  const faults = findNameFaults(`${exampled.path}.text`, exampled.text, parameters);
  return faults.length > 0 ? faults : findExampleFaults(exampled.path, exampled, parameters);
}

/** Meta rejects a body that begins or ends with a variable. */
export const endsInVariable = (text: string): boolean => /^\s*\{\{|\}\}\s*$/.test(text);

export const countVariables = (text: string): number => namesIn(text).length;
