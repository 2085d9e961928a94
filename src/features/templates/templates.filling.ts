// Fills a template's text and its provider's form with the values that a caller sends. Pure.
import type { Fault } from "../../shared/errors.ts";
import { fillExternal } from "./templates.external.ts";
import { isBlank, type Parts, parseBody, parseExternal, render } from "./templates.render.ts";
import type { SendableTemplate, TemplateRecord } from "./templates.schemas.ts";

/** Values as they are sent: a list for positions, or by name. */
export type SentVariables = readonly string[] | Record<string, string>;

const POSITION = /^\d/;

/** Values by name, and their faults for this template. A list holds the values of positions in order. */
export function readVariables(
  { variables }: Pick<SendableTemplate, "variables">,
  sent: SentVariables,
): { values: Map<string, string>; faults: Fault[] } {
  const isList = Array.isArray(sent);
  const names = isList ? variables.filter((name) => POSITION.test(name)) : variables;
  const entries = isList ? sent.map((value, at) => [String(at + 1), value] as const) : Object.entries(sent);
  if (!isList) {
    const unknown = entries.filter(([name]) => !names.includes(name));
    return {
      values: new Map(entries),
      faults: unknown.map(([name]) => ({
        path: `variables.${name}`,
        code: "unknown_field",
        message: "The template has no variable of this name.",
      })),
    };
  }
  const needsNames = names.length < variables.length;
  const message = needsNames
    ? "The template's variables have names; send an object of name → value."
    : `The template takes ${names.length === 1 ? "one value" : `${names.length} values`}.`;
  const faults = entries.length > names.length ? [{ path: "variables", code: "too_big", message }] : [];
  return { values: new Map(entries), faults };
}

/** A template's text split at its variables, to show where values go. */
export function partsOf({ body, source, variables }: Pick<TemplateRecord, "body" | "source" | "variables">): Parts {
  if (source === "local") return parseBody(body).parts;
  return parseExternal(body, variables.some((name) => POSITION.test(name)) ? "positional" : "named");
}

/** The text, the names of variables that nothing fills, and the form of an external template. */
export function fillTemplate(
  template: SendableTemplate,
  sent: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string | null>,
) {
  const valueOf = (name: string) => {
    const value = sent.get(name);
    return isBlank(value) ? own.get(name) : value;
  };
  const { name, language, parameters } = template;
  if (parameters === null || language === null) {
    return { ...render(parseBody(template.body).parts, valueOf), form: null };
  }
  const { text, missing, form } = fillExternal({ ...template, parameters }, valueOf);
  return { text, missing, form: { name, language, ...form } };
}
