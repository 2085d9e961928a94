// Fills a template's text and its provider's form with the values that a caller sends. Pure.
import { fillParts, findPartFaults } from "./fill-parts.ts";
import { readVariables, type SentVariables } from "./read-variables.ts";
import type { SentParts } from "./sent-parts.schemas.ts";
import { fillExternal, hasTextVariable, isAuthentication, isMarketing } from "./templates.external.ts";
import { isBlank, type TextPieces, parseBody, parseExternal, render } from "./templates.render.ts";
import type { TemplateRecord } from "./templates.schemas.ts";

/** The values that a caller sends for a template. */
export interface TemplateValues extends SentParts {
  variables?: SentVariables | undefined;
}

/** A contact's own values by name. */
export type OwnValues = Pick<ReadonlyMap<string, string | null>, "get">;

/** A template's text split at its variables, to show where values go. */
export function piecesOf({
  body,
  source,
  variables,
}: Pick<TemplateRecord, "body" | "source" | "variables">): TextPieces {
  if (source === "local") return parseBody(body).pieces;
  return parseExternal(body, variables.some((name) => /^\d/.test(name)) ? "positional" : "named");
}

/** Values by name of what was sent for a template, and the faults of what it does not take. */
export function readValues(template: TemplateRecord, { variables = [], ...parts }: TemplateValues) {
  const { values, faults } = readVariables(template, variables);
  return { values, parts, faults: [...faults, ...findPartFaults(template, parts, hasTextVariable(template))] };
}

/**
 * The text, the names of what nothing fills, and the form of an external template. Variables without a value that was sent take
 * the contact's `own`.
 */
export function fillTemplate(
  template: TemplateRecord,
  sent: ReadonlyMap<string, string>,
  own: OwnValues,
  parts: SentParts = {},
) {
  const valueOf = (name: string) => {
    const value = sent.get(name);
    return isBlank(value) ? own.get(name) : value;
  };
  const { name, language, parameters, category } = template;
  if (parameters === null || language === null) {
    return { ...render(parseBody(template.body).pieces, valueOf), form: null };
  }
  const given = {
    header: parts.header?.text ?? null,
    buttons: new Map(parts.buttons?.map(({ index, value }) => [index, value])),
  };
  const { text, missing, form } = fillExternal({ ...template, parameters }, valueOf, given);
  const filled = fillParts(template, parts);
  return {
    text,
    missing: [...missing, ...filled.missing],
    form: {
      name,
      language,
      ...form,
      buttons: [...form.buttons, ...filled.buttons].toSorted((a, b) => a.index - b.index),
      ...(filled.header !== null && { headerPart: filled.header }),
      ...(filled.cards.length > 0 && { cards: filled.cards }),
      ...(isMarketing(category) && { isMarketing: true }),
      ...(isAuthentication(category) && { isAuthentication: true }),
    },
  };
}
