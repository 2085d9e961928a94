// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates
import type {
  OutboundTemplate,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateValue,
} from "../../templates/channel-templates.ts";
import type { LocationContent } from "../../content.ts";

const textParameter = ({ name, text }: TemplateValue) => ({
  type: "text",
  ...(name !== null && { parameter_name: name }),
  text,
});

const decimal = (value: number): string =>
  String(value).includes("e") ? value.toFixed(12).replace(/\.?0+$/, "") : String(value);

export const locationBody = ({ latitude, longitude, name, address }: LocationContent) => ({
  latitude: decimal(latitude),
  longitude: decimal(longitude),
  ...(name && { name }),
  ...(address && { address }),
});

function headerParameter(header: TemplateHeader, ids: ReadonlyMap<string, string>) {
  if (header.type === "location") {
    const { type, ...location } = header;
    return { type, location: locationBody(location) };
  }
  const { type, media_id, filename } = header;
  const id = ids.get(media_id) ?? "";
  return { type, [type]: { id, ...(type === "document" && filename && { filename }) } };
}

function buttonParameter({ kind, text }: TemplateButton) {
  switch (kind) {
    case "url":
      return { type: "text", text };
    case "copy_code":
      return { type: "coupon_code", coupon_code: text };
    case "quick_reply":
      return { type: "payload", payload: text };
    case "flow":
      return { type: "action", action: { flow_token: text } };
  }
}

const buttonComponent = (button: TemplateButton) => ({
  type: "button",
  sub_type: button.kind,
  index: String(button.index),
  parameters: [buttonParameter(button)],
});

const component = (type: string, parameters: object[]) => (parameters.length === 0 ? [] : [{ type, parameters }]);

const cardComponent = ({ index, header, body, buttons }: TemplateCard, ids: ReadonlyMap<string, string>) => ({
  card_index: index,
  components: [
    ...component("header", header === null ? [] : [headerParameter(header, ids)]),
    ...component("body", body.map(textParameter)),
    ...buttons.map(buttonComponent),
  ],
});

export function templateBody(
  { name, language, header, headerPart, body, buttons, cards = [] }: OutboundTemplate,
  ids: ReadonlyMap<string, string>,
) {
  const components = [
    ...component("header", headerPart === undefined ? header.map(textParameter) : [headerParameter(headerPart, ids)]),
    ...component("body", body.map(textParameter)),
    ...buttons.map(buttonComponent),
    ...(cards.length === 0 ? [] : [{ type: "carousel", cards: cards.map((card) => cardComponent(card, ids)) }]),
  ];
  return {
    name,
    language: { policy: "deterministic", code: language },
    ...(components.length > 0 && { components }),
  };
}
