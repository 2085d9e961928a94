// Fills in a campaign's template for each contact. Pure.
import { MAX_MESSAGE_CHARACTERS } from "../../shared/text.ts";
import type { Fault } from "../../shared/errors.ts";
import { fillTemplate, readVariables, type SentVariables } from "../templates/templates.filling.ts";
import { parseBody, type Parts, render, variablesIn } from "../templates/templates.render.ts";
import type { SendableTemplate } from "../templates/templates.schemas.ts";

/** Parsed texts by variable; null where none were sent. */
export type CompiledVariables = ReadonlyMap<string, Parts> | null;

export const compileVariables = (texts: Record<string, string> | null): CompiledVariables =>
  texts === null ? null : new Map(Object.entries(texts).map(([name, text]) => [name, parseBody(text).parts]));

/** The faults of a text for a variable, which is a template itself, with named variables only. */
function findTextFaults(path: string, text: string): Fault[] {
  const { parts, faults } = parseBody(text);
  const positions = variablesIn(parts).filter((name) => /^\d/.test(name));
  const numbered = { path, code: "invalid_variable", message: "A text for a variable may hold named variables only." };
  return [
    ...faults.map((fault) => ({ ...fault, path })),
    ...(faults.length === 0 && positions.length > 0 ? [numbered] : []),
  ];
}

const unfilledNames = (parts: Parts, known: ReadonlySet<string>): string[] =>
  parts.flatMap((part) =>
    typeof part === "string" || part.fallback !== null || known.has(part.name) ? [] : [part.name],
  );

const fallbackNames = (parts: Parts): string[] =>
  parts.flatMap((part) => (typeof part === "string" || part.fallback === null ? [] : [part.name]));

/**
 * Checks the texts that were sent for a template's variables before any contact is known. `own` are the names of contacts'
 * own values; `missing` are the variables that no contact can have a value for.
 */
export function checkVariables(
  template: Pick<SendableTemplate, "variables" | "body" | "parameters">,
  sent: SentVariables | undefined,
  own: ReadonlySet<string>,
): { texts: Record<string, string> | null; faults: Fault[]; missing: string[] } {
  const { values, faults } = readVariables(template, sent ?? []);
  const texts = sent === undefined ? null : Object.fromEntries(values);
  const inner = [...values].map(([name, text], at) => ({
    name,
    text,
    path: `variables.${Array.isArray(sent) ? at : name}`,
  }));
  const allFaults = [...faults, ...inner.flatMap(({ path, text }) => findTextFaults(path, text))];
  if (allFaults.length > 0) return { texts, faults: allFaults, missing: [] };

  const byDefault = sent === undefined ? ["1"] : [];
  const filled = new Set([...own, ...values.keys(), ...byDefault]);
  const withFallback = new Set(template.parameters === null ? fallbackNames(parseBody(template.body).parts) : []);
  const missing = template.variables.filter((name) => !filled.has(name) && !withFallback.has(name));
  const missingInside = inner.flatMap(({ text }) => unfilledNames(parseBody(text).parts, own));
  return { texts, faults: [], missing: [...new Set([...missing, ...missingInside])] };
}

export type FilledMessage =
  | { skip: null; text: string; form: ReturnType<typeof fillTemplate>["form"] }
  | { skip: "missing_variable" | "too_long"; names: string[] };

/** The message to one contact, or the reason to skip it. `own` are the contact's values by name. */
export function fillForContact(
  template: SendableTemplate,
  variables: CompiledVariables,
  own: ReadonlyMap<string, string | null>,
): FilledMessage {
  const valueOf = (name: string) => own.get(name);
  const sent = new Map<string, string>();
  const missingInside: string[] = [];
  for (const [name, parts] of variables ?? []) {
    const { text, missing } = render(parts, valueOf);
    missingInside.push(...missing);
    sent.set(name, text);
  }
  const greeting = own.get("address_as") ?? own.get("name");
  if (variables === null && greeting !== undefined && greeting !== null) sent.set("1", greeting);
  if (missingInside.length > 0) return { skip: "missing_variable", names: missingInside };
  const { text, missing, form } = fillTemplate(template, sent, own);
  if (missing.length > 0) return { skip: "missing_variable", names: missing };
  if (Array.from(text).length > MAX_MESSAGE_CHARACTERS) return { skip: "too_long", names: [] };
  return { skip: null, text, form };
}
