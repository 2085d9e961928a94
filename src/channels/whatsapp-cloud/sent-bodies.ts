// Bodies of sent messages. Source: developers.facebook.com/documentation/business-messaging/whatsapp/messages and the schemas of
// github.com/facebook/openapi, business-messaging-api.
import { isPhoneAddress } from "../../shared/text/phone.ts";
import type { OutboundMessage } from "../channel.ts";
import type { ContactCard } from "../contact-card.ts";
import type { InteractiveContent, MediaContent, MediaType } from "../content.ts";
import { isMediaContent } from "../content.ts";
import { locationBody, templateBody } from "./templates/sent-templates.ts";

/** The provider's id of each of the message's files. */
export type ProviderMediaIds = ReadonlyMap<string, string>;

/** Images, videos and documents have captions; documents have names; a voice message is an audio with a flag. */
function mediaBody(type: MediaType, { caption, filename, voice }: MediaContent, id: string) {
  switch (type) {
    case "sticker":
      return { id };
    case "audio":
      return { id, ...(voice === true && { voice }) };
    case "document":
      return { id, ...(caption && { caption }), ...(filename && { filename }) };
    case "image":
    case "video":
      return { id, ...(caption && { caption }) };
  }
}

/** A name requires a second part besides the formatted one. */
const contactBody = ({ name, phones, emails, org, addresses, urls, birthday }: ContactCard) => ({
  name: {
    formatted_name: name.formatted_name,
    ...(name.first_name || !name.last_name ? { first_name: name.first_name || name.formatted_name } : {}),
    ...(name.last_name && { last_name: name.last_name }),
  },
  ...(phones.length > 0 && {
    phones: phones.map(({ phone, type, wa_id }) => ({ phone, ...(type && { type }), ...(wa_id && { wa_id }) })),
  }),
  ...(emails && emails.length > 0 && { emails: emails.map(({ email, type }) => ({ email, ...(type && { type }) })) }),
  ...(org && { org }),
  ...(addresses && addresses.length > 0 && { addresses }),
  ...(urls && urls.length > 0 && { urls }),
  ...(birthday && { birthday }),
});

type Titled = Exclude<InteractiveContent, { type: "location_request" }>;

const titled = ({ header, body, footer }: Titled) => ({
  ...(header && { header: { type: "text", text: header } }),
  body: { text: body },
  ...(footer && { footer: { text: footer } }),
});

function interactiveBody(content: InteractiveContent) {
  switch (content.type) {
    case "buttons": {
      const buttons = content.buttons.map(({ id, title }) => ({ type: "reply", reply: { id, title } }));
      return { type: "button", ...titled(content), action: { buttons } };
    }
    case "list": {
      const sections = content.sections.map(({ title, rows }) => ({
        ...(title && { title }),
        rows: rows.map(({ id, title: row, description }) => ({ id, title: row, ...(description && { description }) })),
      }));
      return { type: "list", ...titled(content), action: { button: content.button, sections } };
    }
    case "link": {
      const parameters = { display_text: content.title, url: content.url };
      return { type: "cta_url", ...titled(content), action: { name: "cta_url", parameters } };
    }
    case "location_request":
      return {
        type: "location_request_message",
        body: { text: content.body },
        action: { name: "send_location" },
      };
  }
}

function contentBody({ body, content, replyTo }: OutboundMessage, ids: ProviderMediaIds) {
  if (content === undefined) return { type: "text", text: { preview_url: false, body } };
  if (isMediaContent(content)) {
    const { type } = content;
    return { type, [type]: mediaBody(type, content.content, ids.get(content.content.media_id) ?? "") };
  }
  const { type } = content;
  switch (type) {
    case "text":
      return { type, text: { preview_url: content.content.preview_url === true, body } };
    case "location":
      return { type, location: locationBody(content.content) };
    case "contacts":
      return { type, contacts: content.content.map(contactBody) };
    case "interactive":
      return { type, interactive: interactiveBody(content.content) };
    case "reaction":
      return { type, reaction: { message_id: replyTo, emoji: content.content.emoji } };
  }
}

/** A reaction names its message itself. */
const contextOf = ({ replyTo, content }: OutboundMessage) =>
  replyTo !== undefined && content?.type !== "reaction" && { context: { message_id: replyTo } };

/** The body of `POST /{phone_number_id}/messages`. A person without a number is addressed by user id, in a separate field. */
export function sentBody(message: OutboundMessage, ids: ProviderMediaIds) {
  const { id, to, template } = message;
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...(isPhoneAddress(to) ? { to } : { recipient: to }),
    ...contextOf(message),
    ...(template === undefined
      ? contentBody(message, ids)
      : { type: "template", template: templateBody(template, ids) }),
    biz_opaque_callback_data: id,
  };
}
