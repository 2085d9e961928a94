// A provider's template as the fields of the editor, to be changed there. Pure.
import * as z from "zod";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { variablesInText } from "./editor-values.ts";

type Fields = [name: string, text: string][];

const texts = z.array(z.string()).catch([]);
const named = z.array(z.object({ param_name: z.string(), example: z.string() })).catch([]);

const example = z
  .object({
    header_text: texts.optional(),
    header_text_named_params: named.optional(),
    body_text: z.array(texts).optional().catch([]),
    body_text_named_params: named.optional(),
  })
  .nullish()
  .catch(null);

const app = z.object({ package_name: z.string().optional(), signature_hash: z.string().optional() });

const button = z.object({
  type: z.string(),
  text: z.string().nullish(),
  url: z.string().nullish(),
  phone_number: z.string().nullish(),
  flow_id: z.union([z.string(), z.number()]).nullish(),
  example: z.union([z.string(), texts]).nullish().catch(null),
  otp_type: z.string().nullish(),
  autofill_text: z.string().nullish(),
  supported_apps: z.array(app).nullish().catch(null),
  zero_tap_terms_accepted: z.boolean().nullish(),
});

const component = z.object({
  type: z.string(),
  format: z.string().nullish(),
  text: z.string().nullish(),
  example,
  add_security_recommendation: z.boolean().nullish(),
  code_expiration_minutes: z.number().nullish(),
  buttons: z.array(button).nullish(),
  cards: z.array(z.object({ components: z.array(z.unknown()) })).nullish(),
});

type Component = z.infer<typeof component>;

const read = (components: readonly unknown[]): Component[] =>
  components.flatMap((raw) => component.safeParse(raw).data ?? []);

function exampleFields(part: Component, at: string): Fields {
  const { header_text, header_text_named_params, body_text, body_text_named_params } = part.example ?? {};
  const list = header_text ?? body_text?.[0] ?? [];
  const byName = new Map(
    [...(header_text_named_params ?? []), ...(body_text_named_params ?? [])].map((each) => [
      each.param_name,
      each.example,
    ]),
  );
  return variablesInText(part.text ?? "").flatMap((name, place): Fields => {
    const text = byName.get(name) ?? list[place];
    return text === undefined ? [] : [[`${at}examples.${name}`, text]];
  });
}

const buttonFields = (all: readonly z.infer<typeof button>[], at: string): Fields =>
  all.flatMap(({ type, text, url, phone_number, flow_id, example: given }, place): Fields => {
    const shown = typeof given === "string" ? given : given?.[0];
    const row = Object.entries({ type, text, url, phone_number, flow_id, example: shown });
    return row.flatMap(([name, value]): Fields =>
      value === null || value === undefined ? [] : [[`${at}buttons.${place}.${name}`, String(value)]],
    );
  });

function codeFields({ buttons }: Component): Fields {
  const [code] = buttons ?? [];
  if (code === undefined) return [];
  const { otp_type, text, autofill_text, supported_apps, zero_tap_terms_accepted: areAccepted } = code;
  const row = { otp_type, text, autofill_text, ...supported_apps?.[0] };
  return [
    ...Object.entries(row).flatMap(([name, value]): Fields =>
      typeof value === "string" ? [[`otp.${name}`, value]] : [],
    ),
    ...(areAccepted === true ? ([["otp.zero_tap_terms_accepted", "true"]] satisfies Fields) : []),
  ];
}

function cardFields(cards: NonNullable<Component["cards"]>): Fields {
  const parts = cards.map((card) => read(card.components));
  const [first = []] = parts;
  const kinds = first.find(({ type }) => type === "BUTTONS")?.buttons ?? [];
  return [
    ["layout", "carousel"],
    ["card_format", first.find(({ type }) => type === "HEADER")?.format ?? "IMAGE"],
    ...(first.some(({ type }) => type === "BODY") ? ([["card_texts", "true"]] satisfies Fields) : []),
    ...kinds.map(({ type }, place): [string, string] => [`card_buttons.${place}`, type]),
    ...parts.flatMap((card, place): Fields => [
      [`cards.${place}.header.media_id`, ""],
      ...card.flatMap((part) => partFields(part, `cards.${place}.`, false)),
    ]),
  ];
}

function partFields(part: Component, at: string, isCode: boolean): Fields {
  switch (part.type) {
    case "HEADER":
      return at === ""
        ? [
            ["header.format", part.format ?? "TEXT"],
            ["header.text", part.text ?? ""],
            ...exampleFields(part, "header."),
          ]
        : [];
    case "BODY":
      return [
        [`${at}body.text`, part.text ?? ""],
        ...exampleFields(part, `${at}body.`),
        ...(part.add_security_recommendation === true
          ? ([["body.add_security_recommendation", "true"]] satisfies Fields)
          : []),
      ];
    case "FOOTER": {
      const minutes = part.code_expiration_minutes;
      return [
        ["footer.text", part.text ?? ""],
        ...(typeof minutes === "number"
          ? ([["footer.code_expiration_minutes", String(minutes)]] satisfies Fields)
          : []),
      ];
    }
    case "BUTTONS":
      return isCode ? codeFields(part) : buttonFields(part.buttons ?? [], at);
    case "CAROUSEL":
      return cardFields(part.cards ?? []);
    default:
      return [];
  }
}

const KNOWN_PARTS = ["HEADER", "BODY", "FOOTER", "BUTTONS", "CAROUSEL"];
const KNOWN_BUTTONS = ["QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "FLOW", "OTP", "REQUEST_CONTACT_INFO"];

/** True where the editor has fields for all that the template has. */
export const isEditable = ({ components }: { components: readonly unknown[] }): boolean =>
  components.every((raw) => {
    const { data } = component.safeParse(raw);
    if (data === undefined || !KNOWN_PARTS.includes(data.type)) return false;
    const { buttons, cards } = data;
    return (
      (buttons ?? []).every(
        ({ type, flow_id }) => KNOWN_BUTTONS.includes(type) && (type !== "FLOW" || flow_id !== undefined),
      ) && (cards ?? []).every((card) => isEditable(card))
    );
  });

/** The fields of a template that is held by a provider. Examples of files have to be given anew. */
export function storedFields({ category, components }: Pick<TemplateRecord, "category" | "components">) {
  const isCode = category === "AUTHENTICATION";
  const fields = read(components).flatMap((part) => partFields(part, "", isCode));
  const chosen: Fields = [
    ["category", category ?? "MARKETING"],
    ["layout", "message"],
    ["header.format", "NONE"],
  ];
  return new Map([...chosen, ...fields].map(([name, text]) => [name, [text]]));
}
