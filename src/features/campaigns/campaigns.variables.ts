import { MAX_MESSAGE_CHARACTERS } from "../../shared/text/text.ts";
import type { Fault } from "../../shared/errors.ts";
import { fillTemplate, type OwnValues } from "../templates/model/fill-template.ts";
import type { ParsedTemplate } from "../templates/model/parse-template.ts";
import { readValues, type SentVariables } from "../templates/model/read-values.ts";
import { parseBody, type TextPieces, render, variablesIn } from "../templates/model/render-text.ts";
import { mapPartTexts, type SentParts } from "../templates/model/sent-parts.schemas.ts";
import type { StoredRequest } from "./campaigns.schemas.ts";

type CompiledVariables = ReadonlyMap<string, TextPieces> | null;

export const compileVariables = (texts: Record<string, string> | null): CompiledVariables =>
  texts === null ? null : new Map(Object.entries(texts).map(([name, text]) => [name, parseBody(text).pieces]));

interface CompiledParts {
  sent: SentParts;
  texts: ReadonlyMap<string, TextPieces>;
}

function compileParts(sent: SentParts): CompiledParts {
  const texts = new Map<string, TextPieces>();
  mapPartTexts(sent, (text) => {
    texts.set(text, parseBody(text).pieces);
    return text;
  });
  return { sent, texts };
}

export const partsOf = ({ header, buttons, cards }: SentParts): SentParts => ({
  ...(header !== undefined && { header }),
  ...(buttons !== undefined && { buttons }),
  ...(cards !== undefined && { cards }),
});

export const compileRequest = (request: StoredRequest) => ({
  variables: compileVariables(request.variables ?? null),
  parts: compileParts(partsOf(request)),
});

function findTextFaults(path: string, text: string): Fault[] {
  const { pieces, faults } = parseBody(text);
  const positions = variablesIn(pieces).filter((name) => /^\d/.test(name));
  const numbered = { path, code: "invalid_variable", message: "Values can contain only named variables." };
  return [
    ...faults.map((fault) => ({ ...fault, path })),
    ...(faults.length === 0 && positions.length > 0 ? [numbered] : []),
  ];
}

const unfilledNames = (pieces: TextPieces, known: ReadonlySet<string>): string[] =>
  pieces.flatMap((piece) =>
    typeof piece === "string" || piece.fallback !== null || known.has(piece.name) ? [] : [piece.name],
  );

const SOME_VALUE = "x";

const someValues = (names: Iterable<string>) => new Map(Array.from(names, (name) => [name, SOME_VALUE] as const));

/**
 * Checks the variables without reading contacts. `own` contains the names of all values that a contact can have.
 * `missing` contains the names for which no contact has a value.
 */
export function checkVariables(
  template: ParsedTemplate,
  sent: SentVariables | undefined,
  own: ReadonlySet<string>,
  sentParts: SentParts = {},
): { texts: Record<string, string> | null; faults: Fault[]; missing: string[] } {
  const { values, parts, faults } = readValues(template, { ...sentParts, variables: sent });
  const texts = sent === undefined ? null : Object.fromEntries(values);
  const inner = [...values].map(([name, text], at) => ({
    text,
    path: `variables.${Array.isArray(sent) ? at : name}`,
  }));
  const without = mapPartTexts(parts, (text, path) => {
    inner.push({ text, path });
    return SOME_VALUE;
  });
  const allFaults = [...faults, ...inner.flatMap(({ path, text }) => findTextFaults(path, text))];
  if (allFaults.length > 0) return { texts, faults: allFaults, missing: [] };

  const { missing } = fillTemplate(template, someValues(values.keys()), someValues(own), without);
  const missingInside = inner.flatMap(({ text }) => unfilledNames(parseBody(text).pieces, own));
  return { texts, faults: [], missing: [...new Set([...missing, ...missingInside])] };
}

export type FilledMessage =
  | { skip: null; text: string; form: ReturnType<typeof fillTemplate>["form"] }
  | { skip: "missing_variable" | "too_long"; names: string[] };

export function fillForContact(
  template: ParsedTemplate,
  variables: CompiledVariables,
  own: OwnValues,
  compiled: CompiledParts | null = null,
): FilledMessage {
  const missingInside: string[] = [];
  /**
   * Returns `SOME_VALUE` if the contact lacks a value inside the text. Otherwise the variable that contains the text
   * could be reported as missing too.
   */
  const fillText = (pieces: TextPieces): string => {
    const { text, missing } = render(pieces, (name) => own.get(name));
    missingInside.push(...missing);
    return missing.length > 0 ? SOME_VALUE : text;
  };
  const sent = new Map(Array.from(variables ?? [], ([name, pieces]) => [name, fillText(pieces)] as const));
  const filledParts = mapPartTexts(compiled?.sent ?? {}, (text) => fillText(compiled?.texts.get(text) ?? [text]));
  const { text, missing, form } = fillTemplate(template, sent, own, filledParts);
  const names = [...new Set([...missingInside, ...missing])];
  if (names.length > 0) return { skip: "missing_variable", names };
  if (Array.from(text).length > MAX_MESSAGE_CHARACTERS) return { skip: "too_long", names: [] };
  return { skip: null, text, form };
}

export function findUnfillable(template: ParsedTemplate, request: StoredRequest, own: ReadonlySet<string>): string[] {
  const { variables, parts } = compileRequest(request);
  const filled = fillForContact(template, variables, someValues(own), parts);
  return filled.skip === "missing_variable" ? filled.names : [];
}
