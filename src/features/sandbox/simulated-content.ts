import type { InboundEvent } from "../../channels/channel-events.ts";
import { type InboundParts, type MediaType, mediaTypes } from "../../channels/content.ts";
import { labelled, readableLine } from "../../channels/readable.ts";
import { keysOnSandbox, noParts } from "../../channels/sandbox/sandbox-records.ts";
import type { SimulatedMedia, SimulatedMessage } from "./sandbox.schemas.ts";

type Kind = Pick<InboundParts, "type" | "content"> & { body: string; media?: InboundParts["media"] };

function mediaKind(type: MediaType, { media_id, url, ...content }: SimulatedMedia): Kind {
  const [mimeType, filename] = [content.mime_type ?? null, content.filename ?? null];
  const media = { id: media_id ?? null, url: url ?? null, mimeType, filename, sha256: null };
  return { type, content, media, body: readableLine({ type, content }, true) };
}

function contentOf(input: SimulatedMessage) {
  const { location, contacts, button_reply, list_reply, form_reply, order, reaction } = input;
  if (location !== undefined) return { type: "location", content: location } as const;
  if (contacts !== undefined) return { type: "contacts", content: contacts } as const;
  if (button_reply !== undefined) return { type: "button_reply", content: button_reply } as const;
  if (list_reply !== undefined) return { type: "list_reply", content: list_reply } as const;
  if (form_reply !== undefined) return { type: "form_reply", content: form_reply } as const;
  if (order !== undefined) return { type: "order", content: order } as const;
  return reaction && ({ type: "reaction", content: { emoji: reaction.emoji } } as const);
}

function kindOf(input: SimulatedMessage): Kind {
  for (const type of mediaTypes) {
    const media = input[type];
    if (media !== undefined) return mediaKind(type, media);
  }
  const content = contentOf(input);
  if (content !== undefined) return { ...content, body: readableLine(content, true) };
  const { text = "", unsupported } = input;
  if (unsupported !== undefined) return { type: "unsupported", content: unsupported, body: labelled(unsupported.kind) };
  return { type: "text", content: null, body: text };
}

export function simulatedContent(input: SimulatedMessage): Pick<InboundEvent, "body" | "parts"> {
  const { body, ...kind } = kindOf(input);
  const target = input.reaction?.message_id ?? input.reply_to;
  const replyTo = target === undefined ? [] : keysOnSandbox(target);
  const isForwarded = input.forwarded === true;
  const referral = input.referral ?? null;
  if (kind.type === "text" && replyTo.length === 0 && !isForwarded && referral === null) return { body };
  return { body, parts: { ...noParts, ...kind, replyTo, isForwarded, referral } };
}
