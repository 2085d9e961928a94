import type { HeaderKind, TemplateButtonPart } from "../../../channels/templates/components.ts";
import type { Fault } from "../../../shared/errors.ts";
import { type ParsedTemplate, variablesOf } from "./parse-template.ts";
import { variablesIn } from "./render-text.ts";
import type { SentHeader, SentParts } from "./sent-parts.schemas.ts";

export type SentVariables = readonly string[] | Record<string, string>;

export interface TemplateValues extends SentParts {
  variables?: SentVariables | undefined;
}

const POSITION = /^\d/;

const unexpected = (path: string, message: string): Fault => ({ path, code: "unknown_field", message });

/**
 * Rejects values for variables that the template does not have. A list has one value for each position: {{1}}, {{2}}, …
 */
export function readVariables(
  variables: readonly string[],
  sent: SentVariables,
  path = "variables",
): { values: Map<string, string>; faults: Fault[] } {
  if (!Array.isArray(sent)) {
    const unknown = Object.keys(sent).filter((name) => !variables.includes(name));
    return {
      values: new Map(Object.entries(sent)),
      faults: unknown.map((name) => unexpected(`${path}.${name}`, "The template has no variable with this name.")),
    };
  }
  const positions = variables.filter((name) => POSITION.test(name));
  const fault =
    positions.length < variables.length
      ? {
          code: "invalid_type",
          message: "The template's variables have names. Send an object with a value for each name.",
        }
      : {
          code: "too_big",
          message: `The template accepts ${positions.length === 1 ? "one value" : `${positions.length} values`}.`,
        };
  return {
    values: new Map(sent.map((value, at) => [String(at + 1), value] as const)),
    faults: sent.length > positions.length ? [{ path, ...fault }] : [],
  };
}

const describeKind = (kind: HeaderKind): string => (kind === "image" ? "an image" : `a ${kind}`);

function findHeaderFaults(
  path: string,
  { headerKind: kind, hasVariable }: { headerKind: HeaderKind | null; hasVariable: boolean },
  sent: SentHeader | undefined,
): Fault[] {
  if (sent === undefined) return [];
  const { text, location, filename } = sent;
  const isFile = text === undefined && location === undefined;
  if (kind === null && !(hasVariable && text !== undefined))
    return [unexpected(path, "The template's header does not accept this value.")];
  const fits = kind === null || (kind === "location" ? location !== undefined : isFile);
  if (!fits) return [{ path, code: "invalid_value", message: `The template's header requires ${describeKind(kind)}.` }];
  if (filename !== undefined && kind !== "document")
    return [unexpected(`${path}.filename`, "Only documents accept a file name.")];
  return [];
}

function findButtonFaults(
  path: string,
  buttons: readonly TemplateButtonPart[],
  sent: SentParts["buttons"] = [],
): Fault[] {
  const seen = new Set<number>();
  return sent.flatMap(({ index }, position) => {
    const isRepeated = seen.has(index);
    seen.add(index);
    if (isRepeated)
      return [{ path: `${path}.${position}.index`, code: "repeated", message: "Each button can occur only once." }];
    if (buttons.some((button) => button.index === index && button.takes !== null)) return [];
    return [
      unexpected(`${path}.${position}.index`, "The template has no button with this index that accepts a value."),
    ];
  });
}

function findPartFaults(template: ParsedTemplate, { header, buttons, cards = [] }: SentParts): Fault[] {
  const count = template.cards.length;
  const message = count === 0 ? "The template has no cards." : `The template has ${count} cards.`;
  const { headerKind, title } = template;
  return [
    ...findHeaderFaults("header", { headerKind, hasVariable: variablesIn(title).length > 0 }, header),
    ...findButtonFaults("buttons", template.buttons, buttons),
    ...(cards.length > count ? [{ path: "cards", code: "too_big", message }] : []),
    ...template.cards.flatMap((card, index) => {
      const sent = cards[index];
      if (sent === undefined) return [];
      const path = `cards.${index}`;
      return [
        ...findHeaderFaults(`${path}.header`, { ...card, hasVariable: false }, sent.header),
        ...readVariables(variablesIn(card.body), sent.variables ?? [], `${path}.variables`).faults,
        ...findButtonFaults(`${path}.buttons`, card.buttons, sent.buttons),
      ];
    }),
  ];
}

export function readValues(template: ParsedTemplate, { variables = [], ...parts }: TemplateValues) {
  const { values, faults } = readVariables(variablesOf(template), variables);
  return { values, parts, faults: [...faults, ...findPartFaults(template, parts)] };
}

export interface HeaderFile {
  path: string;
  kind: Exclude<HeaderKind, "location">;
  mediaId: string | null;
  url: string | null;
}

export function headerFiles(template: ParsedTemplate, sent: SentParts): HeaderFile[] {
  const fileOf = (path: string, kind: HeaderKind | null, header: SentHeader | undefined): HeaderFile[] => {
    if (kind === null || kind === "location" || header === undefined) return [];
    const { media_id: mediaId = null, url = null } = header;
    return mediaId === null && url === null ? [] : [{ path, kind, mediaId, url }];
  };
  return [
    ...fileOf("header", template.headerKind, sent.header),
    ...template.cards.flatMap(({ headerKind }, index) =>
      fileOf(`cards.${index}.header`, headerKind, sent.cards?.[index]?.header),
    ),
  ];
}
