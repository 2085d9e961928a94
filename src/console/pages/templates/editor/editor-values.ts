import { isTicked, type SentValues } from "../../../kit/forms/forms.ts";
import { fieldsOfButton } from "../../messages/phone-bubble.tsx";

export type HeaderChoice = "NONE" | "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION";

export const MAX_BUTTONS = 10;
export const MAX_CARDS = 10;
export const MIN_CARDS = 2;
export const MAX_CARD_BUTTONS = 2;

export const typedIn = (values: SentValues, name: string): string => values.get(name)?.[0] ?? "";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export function variablesInText(text: string): string[] {
  const names = [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name.trim()))];
  const known = names.filter((name) => /^\w{1,60}$/.test(name));
  return known.every((name) => /^\d+$/.test(name)) ? known.toSorted((a, b) => Number(a) - Number(b)) : known;
}

export function countRows(values: SentValues, list: string): number {
  const positions = [...values.keys()].flatMap((name) => {
    const position = name.startsWith(`${list}.`)
      ? /^\d$/.exec(name.slice(list.length + 1).split(".")[0] ?? "")?.[0]
      : undefined;
    return position === undefined ? [] : [Number(position)];
  });
  return Math.max(-1, ...positions) + 1;
}

export const cardButtonKinds = (values: SentValues): string[] =>
  Array.from({ length: MAX_CARD_BUTTONS }, (_, position) => typedIn(values, `card_buttons.${position}`));

export const isCarousel = (values: SentValues): boolean =>
  typedIn(values, "category") === "MARKETING" && typedIn(values, "layout") === "carousel";

export const isOneTime = (values: SentValues): boolean => typedIn(values, "category") === "AUTHENTICATION";

export const hasFiles = (values: SentValues): boolean =>
  isCarousel(values) || /^(?:IMAGE|VIDEO|DOCUMENT)$/.test(typedIn(values, "header.format"));

export function fileIn(values: SentValues, at: string): string {
  const stored = typedIn(values, `${at}stored`);
  return stored === "" ? typedIn(values, `${at}media_id`) : stored;
}

export type Written = Record<string, unknown> & { type: string };

const filled = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));

interface TextPart {
  text: string;
  examples: string;
  /** The keys under which Meta expects the examples. They differ between numbered and named variables. */
  fields: { list: string; named: string };
}

function writeText(values: SentValues, { text, examples, fields }: TextPart, isNamed: boolean) {
  const names = variablesInText(text);
  const exampleOf = (name: string) => typedIn(values, examples + name);
  const list = names.map(exampleOf);
  const example = isNamed
    ? { [fields.named]: names.map((name) => ({ param_name: name, example: exampleOf(name) })) }
    : { [fields.list]: fields.list === "body_text" ? [list] : list };
  return { ...filled({ text }), ...(names.length > 0 && { example }) };
}

const bodyPart = (values: SentValues, at: string): TextPart => ({
  text: typedIn(values, `${at}body.text`),
  examples: `${at}body.examples.`,
  fields: { list: "body_text", named: "body_text_named_params" },
});

function writeHeader(values: SentValues, isNamed: boolean): Written[] {
  const format = typedIn(values, "header.format");
  if (format === "" || format === "NONE") return [];
  if (format === "LOCATION") return [{ type: "HEADER", format }];
  if (format !== "TEXT") return [writeFileHeader(values, format, "header.")];
  const part: TextPart = {
    text: typedIn(values, "header.text"),
    examples: "header.examples.",
    fields: { list: "header_text", named: "header_text_named_params" },
  };
  return [{ type: "HEADER", format, ...writeText(values, part, isNamed) }];
}

const writeFileHeader = (values: SentValues, format: string, at: string): Written => ({
  type: "HEADER",
  format,
  example: filled({ media_id: fileIn(values, at) }),
});

function writeButton(values: SentValues, at: string, type: string): Written {
  const names = fieldsOfButton(type) ?? ["text"];
  const { example = "", ...fields } = Object.fromEntries(names.map((name) => [name, typedIn(values, at + name)]));
  const isList = type === "URL" && fields["url"]?.includes("{{") === true;
  return { type, ...filled(fields), ...(isList ? { example: [example] } : type !== "URL" && filled({ example })) };
}

const writeButtons = (buttons: Written[]): Written[] => (buttons.length === 0 ? [] : [{ type: "BUTTONS", buttons }]);

const ownButtons = (values: SentValues): Written[] =>
  Array.from({ length: countRows(values, "buttons") }, (_, position) =>
    writeButton(values, `buttons.${position}.`, typedIn(values, `buttons.${position}.type`)),
  );

function writeCarousel(values: SentValues, isNamed: boolean): Written {
  const kinds = cardButtonKinds(values).filter((kind) => kind !== "");
  const hasTexts = isTicked(values, "card_texts");
  const cards = Array.from({ length: countCards(values) }, (_, position) => {
    const at = `cards.${position}.`;
    return {
      components: [
        writeFileHeader(values, typedIn(values, "card_format") || "IMAGE", `${at}header.`),
        ...(hasTexts ? [{ type: "BODY", ...writeText(values, bodyPart(values, at), isNamed) }] : []),
        ...writeButtons(kinds.map((kind, index) => writeButton(values, `${at}buttons.${index}.`, kind))),
      ],
    };
  });
  return { type: "CAROUSEL", cards };
}

export const countCards = (values: SentValues): number => Math.max(MIN_CARDS, countRows(values, "cards"));

function writeOneTime(values: SentValues): Written[] {
  const minutes = typedIn(values, "footer.code_expiration_minutes").trim();
  const kind = typedIn(values, "otp.otp_type") || "COPY_CODE";
  const app = filled({
    package_name: typedIn(values, "otp.package_name"),
    signature_hash: typedIn(values, "otp.signature_hash"),
  });
  const button = {
    type: "OTP",
    otp_type: kind,
    ...filled({ text: typedIn(values, "otp.text") }),
    ...(kind !== "COPY_CODE" && {
      ...filled({ autofill_text: typedIn(values, "otp.autofill_text") }),
      supported_apps: [app],
    }),
    ...(kind === "ZERO_TAP" && { zero_tap_terms_accepted: isTicked(values, "otp.zero_tap_terms_accepted") }),
  };
  return [
    {
      type: "BODY",
      ...(isTicked(values, "body.add_security_recommendation") && { add_security_recommendation: true }),
    },
    ...(minutes === ""
      ? []
      : [{ type: "FOOTER", code_expiration_minutes: Number.isNaN(Number(minutes)) ? minutes : Number(minutes) }]),
    { type: "BUTTONS", buttons: [button] },
  ];
}

const textsOf = (values: SentValues): string[] => [
  ...(typedIn(values, "header.format") === "TEXT" && !isCarousel(values) ? [typedIn(values, "header.text")] : []),
  typedIn(values, "body.text"),
  ...(isCarousel(values)
    ? Array.from({ length: countCards(values) }, (_, position) => typedIn(values, `cards.${position}.body.text`))
    : []),
];

export function writeComponents(values: SentValues): Written[] {
  if (isOneTime(values)) return writeOneTime(values);
  const isNamed = textsOf(values)
    .flatMap(variablesInText)
    .some((name) => !/^\d+$/.test(name));
  const body = { type: "BODY", ...writeText(values, bodyPart(values, ""), isNamed) };
  if (isCarousel(values)) return [body, writeCarousel(values, isNamed)];
  const footer = typedIn(values, "footer.text");
  return [
    ...writeHeader(values, isNamed),
    body,
    ...(footer === "" ? [] : [{ type: "FOOTER", text: footer }]),
    ...writeButtons(ownButtons(values)),
  ];
}
