// Simulated messages in the format of a provider's events. Pure.
import type { InboundEvent } from "../../channels/channel.ts";
import type { InboundParts } from "../../channels/content.ts";
import { counted, labelled, listed } from "../../channels/readable.ts";
import { keysOnSandbox, noParts } from "../../channels/sandbox/sandbox-keys.ts";
import type { SimulatedMedia, SimulatedMessage } from "./sandbox.schemas.ts";

type Kind = Pick<InboundParts, "type" | "content"> & { body: string; media?: InboundParts["media"] };

function mediaKind(type: "image" | "video" | "audio" | "document" | "sticker", sent: SimulatedMedia): Kind {
  const { media_id, url, ...content } = sent;
  const [mimeType, filename] = [content.mime_type ?? null, content.filename ?? null];
  return {
    type,
    content,
    media: { id: media_id ?? null, url: url ?? null, mimeType, filename, sha256: null },
    body: labelled(content.voice === true ? "voice message" : type, filename, content.caption),
  };
}

function kindOf(input: SimulatedMessage): Kind {
  const { text, location, contacts, button_reply, list_reply, form_reply, order, reaction, unsupported } = input;
  for (const type of ["image", "video", "audio", "document", "sticker"] as const) {
    const media = input[type];
    if (media !== undefined) return mediaKind(type, media);
  }
  if (location !== undefined) {
    const { name, address, latitude, longitude } = location;
    return {
      type: "location",
      content: location,
      body: labelled("location", listed(name, address, latitude, longitude)),
    };
  }
  if (contacts !== undefined) {
    const lines = contacts.map(({ name, phones }) =>
      labelled("contact", name.formatted_name, ...phones.map(({ phone }) => phone)),
    );
    return { type: "contacts", content: contacts, body: lines.join("\n") };
  }
  if (button_reply !== undefined) return { type: "button_reply", content: button_reply, body: button_reply.title };
  if (list_reply !== undefined) return { type: "list_reply", content: list_reply, body: list_reply.title };
  if (form_reply !== undefined) {
    const { name, body, response } = form_reply;
    return { type: "form_reply", content: form_reply, body: labelled(name ?? "form", body, JSON.stringify(response)) };
  }
  if (order !== undefined) {
    return {
      type: "order",
      content: order,
      body: labelled("order", counted(order.products.length, "item"), order.text),
    };
  }
  if (reaction !== undefined) {
    const { emoji } = reaction;
    return {
      type: "reaction",
      content: { emoji },
      body: emoji === "" ? "[reaction removed]" : labelled("reaction", emoji),
    };
  }
  if (unsupported !== undefined) return { type: "unsupported", content: unsupported, body: labelled(unsupported.kind) };
  return { type: "text", content: null, body: text ?? "" };
}

/** The readable line of a simulated message, and its parts if it is more than text. */
export function simulatedContent(input: SimulatedMessage): Pick<InboundEvent, "body" | "parts"> {
  const { body, ...kind } = kindOf(input);
  const target = input.reaction?.message_id ?? input.reply_to;
  const replyTo = target === undefined ? [] : keysOnSandbox(target);
  const isForwarded = input.forwarded === true;
  const referral = input.referral ?? null;
  if (kind.type === "text" && replyTo.length === 0 && !isForwarded && referral === null) return { body };
  return { body, parts: { ...noParts, ...kind, replyTo, isForwarded, referral } };
}
