import {
  type HeaderKind,
  readComponents,
  type TemplateButtonPart,
  type TemplateCardParts,
  type TemplateParts,
} from "../../../channels/templates/components.ts";
import { parseBody, parseExternal, type TextPieces, variablesIn } from "./render-text.ts";

export const MARKETING = "MARKETING";

export const AUTHENTICATION = "AUTHENTICATION";

export const isAuthentication = (category: string | null): boolean => category?.toUpperCase() === AUTHENTICATION;

/**
 * Sends depend on the kind, because contacts can opt out of marketing alone, and a login code requires a phone number.
 */
export const templateKind = (category: string | null) => ({
  isMarketing: category?.toUpperCase() === MARKETING,
  isAuthentication: isAuthentication(category),
});

export interface TemplateSource {
  name: string;
  language: string | null;
  category: string | null;
  body: string;
  /** Whether the variables have positions or names. Null for a local template. */
  parameters: "positional" | "named" | null;
  components: readonly unknown[];
}

export interface ParsedButton extends TemplateButtonPart {
  variable: string | null;
}

export interface ParsedCard {
  headerKind: HeaderKind | null;
  body: TextPieces;
  buttons: TemplateButtonPart[];
}

export interface ParsedTemplate extends Pick<TemplateSource, "name" | "language" | "category" | "parameters"> {
  headerKind: HeaderKind | null;
  /**
   * Positions in the header continue after those in the body: if the body has {{1}} and {{2}}, the header begins with
   * {{3}}.
   */
  title: TextPieces;
  body: TextPieces;
  bodyText: string;
  buttons: ParsedButton[];
  cards: ParsedCard[];
  parts: TemplateParts;
  unsupported: string[];
}

/**
 * The provider writes the text of one-time passwords. We use this text until a sync has fetched that of the provider.
 */
const ONE_TIME_TEXT = "{{1}} is your verification code.";
const SECURITY_TEXT = " For your security, do not share this code.";

function bodyTextOf({ body, hasSecurityAdvice }: TemplateParts, category: string | null): string {
  const text = body?.text ?? "";
  if (text !== "" || category !== AUTHENTICATION) return text;
  return hasSecurityAdvice ? ONE_TIME_TEXT + SECURITY_TEXT : ONE_TIME_TEXT;
}

const headerKindOf = ({ header }: TemplateCardParts): HeaderKind | null =>
  header === null || header.kind === "text" ? null : header.kind;

const lastPosition = (pieces: TextPieces): number => Math.max(0, ...variablesIn(pieces).map(Number));

const BUTTON = "button_";

export const isButtonVariable = (name: string): boolean => new RegExp(`^${BUTTON}\\d+$`).test(name);

/**
 * The provider numbers the variables of each part from 1. Our callers send one list of values, so we continue the
 * numbers from the body to the header and then to the buttons. The button of a one-time password uses the value of the
 * body.
 */
export function parseTemplate({
  name,
  language,
  category,
  body,
  parameters,
  components,
}: TemplateSource): ParsedTemplate {
  const parts = readComponents(parameters === null ? [] : components);
  const bodyText = parameters === null ? body : bodyTextOf(parts, category);
  const parse = (text: string) => (parameters === null ? parseBody(text).pieces : parseExternal(text, parameters));
  const pieces = parse(bodyText);
  const title = parse(parts.header?.kind === "text" ? parts.header.text : "");
  const isNamed = parameters === "named";
  const inBody = isNamed ? 0 : lastPosition(pieces);
  const inHeader = isNamed ? 0 : lastPosition(title);
  const open = parts.buttons.filter(({ isRequired }) => isRequired);
  const variableOf = (button: TemplateButtonPart): string | null => {
    if (!button.isRequired) return null;
    if (isNamed) return `${BUTTON}${button.index + 1}`;
    return category === AUTHENTICATION && inBody > 0 ? "1" : String(inBody + inHeader + open.indexOf(button) + 1);
  };
  return {
    name,
    language,
    category,
    parameters,
    headerKind: headerKindOf(parts),
    title: isNamed
      ? title
      : title.map((piece) =>
          typeof piece === "string" ? piece : { ...piece, name: String(inBody + Number(piece.name)) },
        ),
    body: pieces,
    bodyText,
    buttons: parts.buttons.map((button) => ({ ...button, variable: variableOf(button) })),
    cards: parts.cards.map((card) => ({
      headerKind: headerKindOf(card),
      body: parse(card.body?.text ?? ""),
      buttons: card.buttons,
    })),
    parts,
    unsupported: parts.unsupported,
  };
}

export function variablesOf({ body, title, buttons }: Pick<ParsedTemplate, "body" | "title" | "buttons">): string[] {
  const names = [body, title].flatMap(variablesIn);
  return [...new Set([...names, ...buttons.flatMap(({ variable }) => variable ?? [])])];
}

/**
 * Lists the parts that a request must send in addition to `variables`. The list includes parts that Tidings cannot
 * send, so such a template is rejected.
 */
export function missingParts({ headerKind, cards, unsupported }: ParsedTemplate): string[] {
  const inCards = cards.flatMap((card, index) => [
    ...(card.headerKind === null ? [] : [`cards.${index}.header.${card.headerKind}`]),
    ...variablesIn(card.body).map((name) => `cards.${index}.body.${name}`),
    ...card.buttons.filter(({ isRequired }) => isRequired).map((button) => `cards.${index}.buttons.${button.index}`),
  ]);
  return [...(headerKind === null ? [] : [`header.${headerKind}`]), ...inCards, ...unsupported];
}
