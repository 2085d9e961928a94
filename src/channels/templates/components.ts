// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
import * as z from "zod";
import { buttonKinds, type TemplateButton } from "./channel-templates.ts";

const upperCase = z.string().transform((word) => word.toUpperCase());
const text = z.string().catch("");
const texts = z.array(z.string()).catch([]);
const list = z.array(z.unknown()).catch([]);
const isTrue = z.boolean().catch(false);
const named = z.array(z.object({ param_name: z.string(), example: z.string() })).catch([]);

const example = z
  .object({
    header_text: texts,
    body_text: z.array(texts).catch([]),
    header_text_named_params: named,
    body_text_named_params: named,
  })
  .partial()
  .catch({});

const app = z.object({ package_name: text, signature_hash: text });

const button = z.object({
  type: upperCase.catch("UNKNOWN"),
  text,
  url: text,
  phone_number: text,
  flow_id: z.union([z.string(), z.number().transform(String)]).catch(""),
  example: z.union([z.string(), texts.transform(([first = ""]) => first)]).catch(""),
  otp_type: text,
  autofill_text: text,
  supported_apps: z.array(app).catch([]),
  zero_tap_terms_accepted: isTrue,
});

const component = z.object({
  type: upperCase,
  format: upperCase.catch("TEXT"),
  text,
  example,
  add_security_recommendation: isTrue,
  code_expiration_minutes: z.number().nullable().catch(null),
  buttons: list,
  cards: list,
});

const card = z.object({ components: list });

const NO_BUTTON = button.parse({});

type Component = z.infer<typeof component>;

export type HeaderKind = "image" | "video" | "document" | "location";

const headerKinds: Record<string, HeaderKind | "text"> = {
  TEXT: "text",
  IMAGE: "image",
  VIDEO: "video",
  DOCUMENT: "document",
  LOCATION: "location",
};

export interface TemplateText {
  text: string;
  example(name: string, position: number): string | undefined;
}

export interface TemplateHeaderPart extends TemplateText {
  kind: HeaderKind | "text";
}

export interface TemplateButtonPart extends z.infer<typeof button> {
  index: number;
  takes: TemplateButton["kind"] | null;
  isRequired: boolean;
}

export interface TemplateCardParts {
  header: TemplateHeaderPart | null;
  body: TemplateText | null;
  buttons: TemplateButtonPart[];
}

export interface TemplateParts extends TemplateCardParts {
  hasSecurityAdvice: boolean;
  footer: { text: string; minutes: number | null } | null;
  cards: TemplateCardParts[];
  /**
   * The types of all components that are not in `PARTS`. A message contains no values for them, because the provider
   * adds their content when it sends the message.
   */
  others: string[];
  unsupported: string[];
}

const PARTS: readonly string[] = ["HEADER", "BODY", "FOOTER", "BUTTONS", "CAROUSEL"];
const FIXED_COMPONENTS: readonly string[] = ["CALL_PERMISSION_REQUEST"];

const NO_VALUE = { takes: null, isRequired: false };

const isKnownButton = (type: string): type is keyof typeof buttonKinds => Object.hasOwn(buttonKinds, type);

const valueOfButton = ({ type, url }: z.infer<typeof button>) =>
  isKnownButton(type) && (type !== "URL" || url.includes("{{")) ? buttonKinds[type] : NO_VALUE;

function readText({ text: written, example: given }: Component): TemplateText {
  const inOrder = given.header_text ?? given.body_text?.[0] ?? [];
  const byName = new Map(
    [...(given.header_text_named_params ?? []), ...(given.body_text_named_params ?? [])].map((each) => [
      each.param_name,
      each.example,
    ]),
  );
  return { text: written, example: (name, position) => byName.get(name) ?? inOrder[position] };
}

const read = (components: readonly unknown[]): Component[] =>
  components.flatMap((raw) => component.safeParse(raw).data ?? []);

function readCard(components: readonly Component[], at: string) {
  const part = (wanted: string) => components.find(({ type }) => type === wanted);
  const [header, body] = [part("HEADER"), part("BODY")];
  const kind = headerKinds[header?.format ?? ""];
  const buttons = (part("BUTTONS")?.buttons ?? []).map((raw, index) => {
    const each = button.safeParse(raw).data ?? NO_BUTTON;
    return { ...each, index, ...valueOfButton(each) };
  });
  const others = components.flatMap(({ type }) => (PARTS.includes(type) ? [] : [type]));
  const unsupported = [
    ...(header !== undefined && kind === undefined ? [`header.${header.format}`] : []),
    ...others.filter((type) => !FIXED_COMPONENTS.includes(type)),
    ...buttons.flatMap(({ type, index, takes }) =>
      takes === null && !isKnownButton(type) ? [`buttons.${index}.${type}`] : [],
    ),
  ].map((name) => at + name.toLowerCase());
  const parts: TemplateCardParts = {
    header: header === undefined || kind === undefined ? null : { ...readText(header), kind },
    body: body === undefined ? null : readText(body),
    buttons,
  };
  return { parts, others, unsupported };
}

export function readComponents(components: readonly unknown[]): TemplateParts {
  const all = read(components);
  const part = (wanted: string) => all.find(({ type }) => type === wanted);
  const { parts, others, unsupported } = readCard(all, "");
  const cards = (part("CAROUSEL")?.cards ?? []).map((raw, index) =>
    readCard(read(card.safeParse(raw).data?.components ?? []), `cards.${index}.`),
  );
  const footer = part("FOOTER");
  return {
    ...parts,
    hasSecurityAdvice: part("BODY")?.add_security_recommendation === true,
    footer: footer === undefined ? null : { text: footer.text, minutes: footer.code_expiration_minutes },
    cards: cards.map((each) => each.parts),
    others: [...others, ...cards.flatMap((each) => each.others)],
    unsupported: [...unsupported, ...cards.flatMap((each) => each.unsupported)],
  };
}
