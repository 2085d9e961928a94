// What a campaign's template is filled in with, person by person. Pure.
import type { Fault } from "../../shared/errors.ts";
import { fillTemplate, readVariables, type SentVariables } from "../templates/templates.filling.ts";
import { parseBody, type Parts, render, variablesIn } from "../templates/templates.render.ts";
import type { SendableTemplate } from "../templates/templates.schemas.ts";

const MAX_CHARACTERS = 4096;

/** Texts by variable, taken apart; null where none were sent. */
export type CompiledVariables = ReadonlyMap<string, Parts> | null;

export const compileVariables = (texts: Record<string, string> | null): CompiledVariables =>
  texts === null ? null : new Map(Object.entries(texts).map(([name, text]) => [name, parseBody(text).parts]));

/** What is wrong with the texts themselves: they are read as templates whose variables have names. */
function faultsOf(path: string, text: string): Fault[] {
  const { parts, faults } = parseBody(text);
  const positions = variablesIn(parts).filter((name) => /^\d/.test(name));
  const numbered = { path, code: "invalid_variable", message: "A text for a variable may hold named variables only." };
  return [
    ...faults.map((fault) => ({ ...fault, path })),
    ...(faults.length === 0 && positions.length > 0 ? [numbered] : []),
  ];
}

const openPlaces = (parts: Parts, known: ReadonlySet<string>): string[] =>
  parts.flatMap((part) =>
    typeof part === "string" || part.fallback !== null || known.has(part.name) ? [] : [part.name],
  );

/**
 * Judges what was sent for a template's variables, whoever it will be filled in for. `own` are the names of what contacts
 * have. `missing` names the variables that nobody can have a value for.
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
  const allFaults = [...faults, ...inner.flatMap(({ path, text }) => faultsOf(path, text))];
  if (allFaults.length > 0) return { texts, faults: allFaults, missing: [] };

  const byDefault = sent === undefined ? ["1"] : [];
  const filled = new Set([...own, ...values.keys(), ...byDefault]);
  const withFallback = new Set(
    template.parameters === null
      ? parseBody(template.body).parts.flatMap((part) =>
          typeof part === "string" || part.fallback === null ? [] : [part.name],
        )
      : [],
  );
  const missing = template.variables.filter((name) => !filled.has(name) && !withFallback.has(name));
  const insideMissing = inner.flatMap(({ text }) => openPlaces(parseBody(text).parts, own));
  return { texts, faults: [], missing: [...new Set([...missing, ...insideMissing])] };
}

export type Filled =
  | { skip: null; text: string; form: ReturnType<typeof fillTemplate>["form"] }
  | { skip: "missing_variable" | "too_long"; names: string[] };

/** The message for one person, or why there is none. `own` are the contact's values by name. */
export function fillForPerson(
  template: SendableTemplate,
  variables: CompiledVariables,
  own: ReadonlyMap<string, string | null>,
): Filled {
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
  if (Array.from(text).length > MAX_CHARACTERS) return { skip: "too_long", names: [] };
  return { skip: null, text, form };
}
