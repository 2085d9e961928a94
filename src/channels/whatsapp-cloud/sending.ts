import * as z from "zod";
import { isPhoneAddress } from "../../shared/text/phone.ts";
import type { OutboundMessage, ChannelIo, OpenConnection, SendOutcome } from "../channel.ts";
import {
  type ContactCard,
  type InteractiveContent,
  type MediaContent,
  type MediaType,
  isMediaContent,
} from "../content.ts";
import { locationBody, templateBody } from "./templates/sent-templates.ts";
import { isSuccess, type UpstreamAnswer } from "../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, callToSend, messageError } from "../answers.ts";
import { lenientText, idOf } from "../provider-input.ts";
import { cloudOutcomeOfFailure } from "./errors.ts";
import { idIn, postJson } from "./graph.ts";
import { isMediaLapsed, prepareMedia } from "./uploads.ts";
import { mediaIdsOf } from "../templates/channel-templates.ts";

type ProviderMediaIds = ReadonlyMap<string, string>;

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

/**
 * Meta requires `formatted_name` and at least one other part of the name. If the card has none,
 * `formatted_name` is also the first name.
 */
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

const contextOf = ({ replyTo, content }: OutboundMessage) =>
  replyTo !== undefined && content?.type !== "reaction" && { context: { message_id: replyTo } };

function sentBody(message: OutboundMessage, ids: ProviderMediaIds) {
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

const accepted = z.object({
  messages: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()),
  contacts: z.array(z.object({ wa_id: lenientText, user_id: lenientText })).catch([]),
});

function userIdsIn({ to }: OutboundMessage, contacts: z.infer<typeof accepted>["contacts"]): { userIds?: string[] } {
  const [known] = contacts;
  const userIds = [known?.user_id, known?.wa_id].flatMap((id) => {
    const name = idOf(id);
    return name === null || name === to || `+${name}` === to ? [] : [name];
  });
  return userIds.length === 0 ? {} : { userIds };
}

function outcomeOf(message: OutboundMessage, answer: UpstreamAnswer): SendOutcome {
  if (!isSuccess(answer)) return cloudOutcomeOfFailure(answer);
  const { data } = accepted.safeParse(answer.json);
  if (data === undefined) return { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) };
  const { id } = data.messages[0];
  return { kind: "accepted", providerMessageId: id, ...userIdsIn(message, data.contacts) };
}

const pathOf = ({ config }: OpenConnection, { template }: OutboundMessage): string =>
  template?.isMarketing === true && config["marketing_route"] === "marketing_messages"
    ? "marketing_messages"
    : "messages";

/**
 * If Meta has deleted an uploaded file, it rejects the message. Tidings then uploads the file again and sends
 * the message once more.
 */
export async function sendCloudMessage(
  connection: OpenConnection,
  message: OutboundMessage,
  io: ChannelIo,
): Promise<SendOutcome> {
  if (message.content?.type === "reaction" && message.replyTo === undefined)
    return {
      kind: "refused",
      error: messageError("provider_rejected", "The provider does not have the message to react to."),
    };
  const path = `${idIn(connection, "phone_number_id")}/${pathOf(connection, message)}`;
  const sendWith = (ids: ProviderMediaIds) =>
    callToSend(io.upstream, postJson(connection, path, sentBody(message, ids)), (answer) => outcomeOf(message, answer));
  const media = mediaIdsOf(message);
  const prepared = await prepareMedia(connection, media, io);
  if (prepared.kind !== "prepared") return prepared;
  const outcome = await sendWith(prepared.ids);
  if (!prepared.isReused || !isMediaLapsed(outcome)) return outcome;
  const anew = await prepareMedia(connection, media, io, prepared.ids);
  return anew.kind === "prepared" ? sendWith(anew.ids) : anew;
}
