// The parts of a provider's template beside its text, and what a send has to give for them. Pure.
import * as z from "zod";
import { parseExternal, type TextPieces, variablesIn } from "./templates.render.ts";

const button = z.object({ type: z.string(), url: z.string().nullish() });
const card = z.object({ components: z.array(z.unknown()).catch([]) });
const component = z.object({
  type: z.string().transform((name) => name.toUpperCase()),
  format: z.string().nullish(),
  text: z.string().nullish(),
  buttons: z.array(button).nullish().catch(null),
  cards: z.array(card).nullish().catch(null),
});

type Component = z.infer<typeof component>;

/** A template as its provider describes it; null `parameters` are those of a local one. */
export interface PartedTemplate {
  parameters: "positional" | "named" | null;
  components: readonly unknown[];
}

/** A local template takes nothing but variables. */
const NO_NEEDS: PartNeeds = { header: null, buttons: [], cards: [], impossible: [] };

/** Headers that a send gives, besides texts. */
export type HeaderKind = "image" | "video" | "document" | "location";

const headerKinds: readonly string[] = ["image", "video", "document", "location"];
const isHeaderKind = (kind: string): kind is HeaderKind => headerKinds.includes(kind);

/** A button that takes a value. One that is not required has a value of its own. */
export interface ButtonNeed {
  index: number;
  kind: "url" | "copy_code" | "quick_reply" | "flow";
  isRequired: boolean;
}

export interface CardNeeds {
  header: HeaderKind | null;
  body: TextPieces;
  buttons: ButtonNeed[];
}

export interface PartNeeds {
  header: HeaderKind | null;
  buttons: ButtonNeed[];
  cards: CardNeeds[];
  /** Parts that no send can give, like `limited_time_offer` or `buttons.0.mpm`. */
  impossible: string[];
}

/** Components and buttons that are sent complete without a value. */
const FIXED_COMPONENTS = new Set(["BODY", "FOOTER", "BUTTONS", "CAROUSEL", "HEADER", "CALL_PERMISSION_REQUEST"]);
const FIXED_BUTTONS = new Set(["PHONE_NUMBER", "URL", "VOICE_CALL", "CATALOG", "REQUEST_CONTACT_INFO"]);

/**
 * The value that a button takes: the end of a link, a code to copy, a one-time password, which goes as a link's end; null for one that
 * takes none, undefined for one that no send can give.
 */
function needOfButton({ type, url }: z.infer<typeof button>, index: number): ButtonNeed | null | undefined {
  switch (type.toUpperCase()) {
    case "COPY_CODE":
      return { index, kind: "copy_code", isRequired: true };
    case "OTP":
      return { index, kind: "url", isRequired: true };
    case "QUICK_REPLY":
      return { index, kind: "quick_reply", isRequired: false };
    case "FLOW":
      return { index, kind: "flow", isRequired: false };
  }
  if (type.toUpperCase() === "URL" && url?.includes("{{")) return { index, kind: "url", isRequired: true };
  return FIXED_BUTTONS.has(type.toUpperCase()) ? null : undefined;
}

const readComponents = (components: readonly unknown[]): Component[] =>
  components.flatMap((raw) => component.safeParse(raw).data ?? []);

function readPart(components: Component[], at: string) {
  const header = components.find(({ type }) => type === "HEADER");
  const kind = (header?.format ?? "TEXT").toLowerCase();
  const buttons = components.find(({ type }) => type === "BUTTONS")?.buttons ?? [];
  const needs = buttons.map(needOfButton);
  const impossible = [
    ...(header === undefined || kind === "text" || isHeaderKind(kind) ? [] : [`${at}header.${kind}`]),
    ...components.flatMap(({ type }) => (FIXED_COMPONENTS.has(type) ? [] : [at + type.toLowerCase()])),
    ...buttons.flatMap(({ type }, index) =>
      needs[index] === undefined ? [`${at}buttons.${index}.${type.toLowerCase()}`] : [],
    ),
  ];
  return {
    header: header !== undefined && isHeaderKind(kind) ? kind : null,
    buttons: needs.filter((need) => need !== null && need !== undefined),
    impossible,
  };
}

/** The parts that take values besides the texts of header and body. */
export function partNeeds({ parameters, components }: PartedTemplate): PartNeeds {
  if (parameters === null) return NO_NEEDS;
  const all = readComponents(components);
  const { header, buttons, impossible } = readPart(all, "");
  const cards = (all.find(({ type }) => type === "CAROUSEL")?.cards ?? []).map((each, index) => {
    const own = readComponents(each.components);
    const text = own.find(({ type }) => type === "BODY")?.text ?? "";
    return { ...readPart(own, `cards.${index}.`), body: parseExternal(text, parameters) };
  });
  return {
    header,
    buttons,
    cards: cards.map((each) => ({ header: each.header, body: each.body, buttons: each.buttons })),
    impossible: [...impossible, ...cards.flatMap((each) => each.impossible)],
  };
}

/** The names of what every send of the template has to give besides `variables`; of what none can give, too. */
export function missingParts(template: PartedTemplate): string[] {
  const { header, cards, impossible } = partNeeds(template);
  const inCards = cards.flatMap((each, index) => [
    ...(each.header === null ? [] : [`cards.${index}.header.${each.header}`]),
    ...variablesIn(each.body).map((name) => `cards.${index}.body.${name}`),
    ...each.buttons.filter(({ isRequired }) => isRequired).map((need) => `cards.${index}.buttons.${need.index}`),
  ]);
  return [...(header === null ? [] : [`header.${header}`]), ...inCards, ...impossible];
}

const otherWords = new Map([
  ["image", "picture"],
  ["location", "place"],
  ["mpm", "multi-product"],
  ["spm", "product"],
]);

const withArticle = (name: string): string => {
  const words = otherWords.get(name) ?? name.replaceAll("_", " ");
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
};

function describePart(part: string): string {
  const [place = "", ...rest] = part.split(".");
  if (place === "cards") return `${describePart(rest.slice(1).join("."))} of card ${Number(rest[0]) + 1}`;
  if (place === "header") return `${withArticle(rest.join("."))} in its header`;
  if (place === "body") return `the variable ${rest.join(".")}`;
  if (place !== "buttons") return withArticle(part);
  return rest[1] === undefined
    ? `a value for button ${Number(rest[0]) + 1}`
    : `a value for ${withArticle(rest[1])} button`;
}

/** Parts in words: `a picture in its header`. */
export const describeMissing = (parts: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(parts.map(describePart));
