import type {
  OutboundTemplate,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateValue,
} from "../../../channels/templates/channel-templates.ts";
import type { HeaderKind, TemplateButtonPart } from "../../../channels/templates/components.ts";
import { type ParsedTemplate, templateKind } from "./parse-template.ts";
import { readVariables } from "./read-values.ts";
import { isBlank, render, type TextPieces, variablesIn } from "./render-text.ts";
import type { SentHeader, SentParts } from "./sent-parts.schemas.ts";

export type OwnValues = Pick<ReadonlyMap<string, string | null>, "get">;

type ValueOf = (name: string) => string | null | undefined;

function toHeader(kind: HeaderKind | null, sent: SentHeader | undefined): TemplateHeader | null {
  if (kind === null || sent === undefined) return null;
  const { media_id, filename, location } = sent;
  if (kind === "location") return location === undefined ? null : { type: kind, ...location };
  return media_id === undefined ? null : { type: kind, media_id, ...(filename !== undefined && { filename }) };
}

/** WhatsApp requires a token for the button of a flow. This token is sent if the request has none. */
const UNUSED_TOKEN = "unused";

interface ButtonToFill extends TemplateButtonPart {
  variable?: string | null;
}

interface FilledTemplate {
  text: string;
  missing: string[];
  form: OutboundTemplate | null;
}

/**
 * Takes the value of a variable from `sent`, or from `own`, the contact's values, if `sent` has none. A value in
 * `parts` for a header or button takes precedence over both.
 */
export function fillTemplate(
  template: ParsedTemplate,
  sent: ReadonlyMap<string, string>,
  own: OwnValues,
  parts: SentParts = {},
): FilledTemplate {
  const { name, language, parameters, category } = template;
  const valueOf: ValueOf = (variable) => {
    const value = sent.get(variable);
    return isBlank(value) ? own.get(variable) : value;
  };
  const { text, missing: missingInText } = render(template.body, valueOf);
  if (parameters === null || language === null) return { text, missing: missingInText, form: null };

  const missing = new Set<string>();
  const fillValues = (pieces: TextPieces, of: ValueOf, at = ""): TemplateValue[] =>
    variablesIn(pieces).map((variable) => {
      const value = of(variable) ?? "";
      if (isBlank(value)) missing.add(at + variable);
      return { name: parameters === "named" ? variable : null, text: value };
    });
  const fillHeader = (kind: HeaderKind | null, header: SentHeader | undefined, at: string): TemplateHeader | null => {
    const filled = toHeader(kind, header);
    if (kind !== null && filled === null) missing.add(`${at}header.${kind}`);
    return filled;
  };
  const fillButtons = (
    buttons: readonly ButtonToFill[],
    values: SentParts["buttons"] = [],
    at = "",
  ): TemplateButton[] =>
    buttons.flatMap(({ index, takes, isRequired, variable = null }) => {
      if (takes === null) return [];
      const orElse = takes === "flow" ? UNUSED_TOKEN : variable === null ? "" : (valueOf(variable) ?? "");
      const value = values.find((each) => each.index === index)?.value ?? orElse;
      if (!isBlank(value)) return [{ index, kind: takes, text: value }];
      if (isRequired) missing.add(variable ?? `${at}buttons.${index}`);
      return [];
    });

  const body = fillValues(template.body, valueOf);
  const title = fillValues(template.title, (variable) => parts.header?.text ?? valueOf(variable));
  const buttons = fillButtons(template.buttons, parts.buttons);
  const header = fillHeader(template.headerKind, parts.header, "");
  const cards = template.cards.map((card, index): TemplateCard => {
    const given = parts.cards?.[index];
    const at = `cards.${index}.`;
    const { values } = readVariables(variablesIn(card.body), given?.variables ?? []);
    return {
      index,
      header: fillHeader(card.headerKind, given?.header, at),
      body: fillValues(card.body, (variable) => values.get(variable), `${at}body.`),
      buttons: fillButtons(card.buttons, given?.buttons, at),
    };
  });
  const { isMarketing, isAuthentication } = templateKind(category);
  const form: OutboundTemplate = {
    name,
    language,
    header: title,
    body,
    buttons,
    ...(header !== null && { headerPart: header }),
    ...(cards.length > 0 && { cards }),
    ...(isMarketing && { isMarketing }),
    ...(isAuthentication && { isAuthentication }),
  };
  return { text, missing: [...missing], form };
}
