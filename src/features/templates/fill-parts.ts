// Fills the header, buttons and cards of a provider's template with the values that a caller sends. Pure.
import type { TemplateButton, TemplateCard, TemplateHeader, TemplateValue } from "../../channels/channel-templates.ts";
import type { Fault } from "../../shared/errors.ts";
import { readVariables } from "./read-variables.ts";
import type { SentHeader, SentParts } from "./sent-parts.schemas.ts";
import { type ButtonNeed, type HeaderKind, type PartedTemplate, type PartNeeds, partNeeds } from "./templates.parts.ts";
import { isBlank, variablesIn } from "./templates.render.ts";

const unexpected = (path: string, message: string): Fault => ({ path, code: "unknown_field", message });

/** `hasText`: the header is a text with a variable. */
function findHeaderFaults(
  path: string,
  { header }: Pick<PartNeeds, "header">,
  { sent, hasText }: { sent: SentHeader | undefined; hasText: boolean },
): Fault[] {
  if (sent === undefined) return [];
  const { text, location, filename } = sent;
  const isFile = text === undefined && location === undefined;
  if (header === null && !(hasText && text !== undefined))
    return [unexpected(path, "The template's header takes no such value.")];
  const fits = header === null || (header === "location" ? location !== undefined : isFile);
  if (!fits) return [{ path, code: "invalid_value", message: `The template's header takes ${describeKind(header)}.` }];
  if (filename !== undefined && header !== "document")
    return [unexpected(`${path}.filename`, "Goes with a document only.")];
  return [];
}

const describeKind = (kind: HeaderKind): string => (kind === "image" ? "an image" : `a ${kind}`);

function findButtonFaults(path: string, needs: readonly ButtonNeed[], sent: SentParts["buttons"] = []): Fault[] {
  const seen = new Set<number>();
  return sent.flatMap(({ index }, place) => {
    const isRepeated = seen.has(index);
    seen.add(index);
    if (isRepeated)
      return [{ path: `${path}.${place}.index`, code: "repeated", message: "Each button may be there once." }];
    if (needs.some((need) => need.index === index)) return [];
    return [unexpected(`${path}.${place}.index`, "The template has no button here that takes a value.")];
  });
}

/** The faults of values that the template does not take. `hasTextHeader`: its header is a text with a variable. */
export function findPartFaults(template: PartedTemplate, sent: SentParts, hasTextHeader: boolean): Fault[] {
  const needs = partNeeds(template);
  const cards = sent.cards ?? [];
  const tooMany = cards.length > needs.cards.length;
  const message =
    needs.cards.length === 0 ? "The template has no cards." : `The template has ${needs.cards.length} cards.`;
  return [
    ...findHeaderFaults("header", needs, { sent: sent.header, hasText: hasTextHeader }),
    ...findButtonFaults("buttons", needs.buttons, sent.buttons),
    ...(tooMany ? [{ path: "cards", code: "too_big", message }] : []),
    ...needs.cards.flatMap((need, index) => {
      const card = cards[index];
      if (card === undefined) return [];
      const path = `cards.${index}`;
      return [
        ...findHeaderFaults(`${path}.header`, need, { sent: card.header, hasText: false }),
        ...readVariables({ variables: variablesIn(need.body) }, card.variables ?? [], `${path}.variables`).faults,
        ...findButtonFaults(`${path}.buttons`, need.buttons, card.buttons),
      ];
    }),
  ];
}

/** A file that a header takes. Either it has been stored, or it is at an address. */
export interface HeaderFile {
  path: string;
  kind: Exclude<HeaderKind, "location">;
  mediaId: string | null;
  url: string | null;
}

/** The files that were sent, as far as the template takes them. */
export function headerFiles(template: PartedTemplate, sent: SentParts): HeaderFile[] {
  const needs = partNeeds(template);
  const fileOf = (path: string, kind: HeaderKind | null, header: SentHeader | undefined): HeaderFile[] => {
    if (kind === null || kind === "location" || header === undefined) return [];
    const { media_id: mediaId = null, url = null } = header;
    return mediaId === null && url === null ? [] : [{ path, kind, mediaId, url }];
  };
  return [
    ...fileOf("header", needs.header, sent.header),
    ...needs.cards.flatMap(({ header }, index) => fileOf(`cards.${index}.header`, header, sent.cards?.[index]?.header)),
  ];
}

/** The header as channels take it; null where it was not sent. */
function toHeader(kind: HeaderKind | null, sent: SentHeader | undefined): TemplateHeader | null {
  if (kind === null || sent === undefined) return null;
  const { media_id, filename, location } = sent;
  if (kind === "location") return location === undefined ? null : { type: kind, ...location };
  return media_id === undefined ? null : { type: kind, media_id, ...(filename !== undefined && { filename }) };
}

/** A form wants a token, and takes this one where there is none. */
const UNUSED_TOKEN = "unused";

/** The buttons' values as channels take them, and the names of those that are wanted and were not sent. */
function fillButtons(path: string, needs: readonly ButtonNeed[], sent: SentParts["buttons"] = []) {
  const values = new Map(sent.map(({ index, value }) => [index, value]));
  const filled: TemplateButton[] = [];
  const missing: string[] = [];
  for (const { index, kind, isRequired } of needs) {
    const text = values.get(index) ?? (kind === "flow" ? UNUSED_TOKEN : "");
    if (!isBlank(text)) filled.push({ index, kind, text });
    else if (isRequired) missing.push(`${path}.${index}`);
  }
  return { filled, missing };
}

/** The parts of a template filled in, and the names of those that were not sent. Buttons that are variables too are left to these. */
export function fillParts(template: PartedTemplate, sent: SentParts) {
  const needs = partNeeds(template);
  const isNamed = template.parameters === "named";
  const header = toHeader(needs.header, sent.header);
  const missing = needs.header !== null && header === null ? [`header.${needs.header}`] : [];
  const optional = needs.buttons.filter(({ isRequired }) => !isRequired);
  const cards = needs.cards.map((need, index): TemplateCard => {
    const card = sent.cards?.[index];
    const path = `cards.${index}`;
    const ownHeader = toHeader(need.header, card?.header);
    if (need.header !== null && ownHeader === null) missing.push(`${path}.header.${need.header}`);
    const names = variablesIn(need.body);
    const { values } = readVariables({ variables: names }, card?.variables ?? []);
    const body = names.map((name): TemplateValue => {
      const text = values.get(name) ?? "";
      if (isBlank(text)) missing.push(`${path}.body.${name}`);
      return { name: isNamed ? name : null, text };
    });
    const buttons = fillButtons(`${path}.buttons`, need.buttons, card?.buttons);
    missing.push(...buttons.missing);
    return { index, header: ownHeader, body, buttons: buttons.filled };
  });
  const { filled: buttons } = fillButtons("buttons", optional, sent.buttons);
  return { header, buttons, cards, missing };
}

type MapText = (text: string, path: string) => string;

function mapHeader(header: SentHeader, path: string, map: MapText): SentHeader {
  const { text, location } = header;
  const { name, address } = location ?? {};
  return {
    ...header,
    ...(text !== undefined && { text: map(text, `${path}.text`) }),
    ...(location !== undefined && {
      location: {
        ...location,
        ...(name !== undefined && { name: map(name, `${path}.location.name`) }),
        ...(address !== undefined && { address: map(address, `${path}.location.address`) }),
      },
    }),
  };
}

/** Parts with other texts in them: those of values, names of files and addresses aside. */
export function mapPartTexts(sent: SentParts, map: MapText, at = ""): SentParts {
  const { header, buttons, cards } = sent;
  const mapButtons = (list: NonNullable<SentParts["buttons"]>, path: string) =>
    list.map((each, place) => ({ ...each, value: map(each.value, `${path}.${place}.value`) }));
  return {
    ...(header !== undefined && { header: mapHeader(header, `${at}header`, map) }),
    ...(buttons !== undefined && { buttons: mapButtons(buttons, `${at}buttons`) }),
    ...(cards !== undefined && {
      cards: cards.map(({ variables, ...card }, place) => {
        const path = `${at}cards.${place}`;
        const ofVariable = (text: string, name: number | string) => map(text, `${path}.variables.${name}`);
        return {
          ...mapPartTexts(card, map, `${path}.`),
          ...(variables !== undefined && {
            variables: Array.isArray(variables)
              ? variables.map(ofVariable)
              : Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, ofVariable(text, name)])),
          }),
        };
      }),
    }),
  };
}
