import * as z from "zod";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import type { Content, InboundParts, MediaType, ProviderMedia } from "../content.ts";
import {
  lenientText,
  lenientBoolean,
  lenientNumber,
  lenientObject,
  type LenientText,
  numberOf,
  MAX_BODY_BESIDE_PARTS_BYTES,
  fitJson,
  nonEmpty,
  storable,
  idOf,
  shortText,
} from "../provider-input.ts";
import { labelled, listed, readableLine, bodyOf } from "../readable.ts";
import { type EngineContent, type EngineMessage, engineMessage } from "./engine-data.ts";
import { chatForms, keysOfId, messageId } from "./ids.ts";
import { cardOf } from "./vcards.ts";

const MAX_UNSUPPORTED_BYTES = 8000;
const MAX_URL = 4000;

export const messageParts = {
  body: lenientText,
  hasMedia: lenientBoolean,
  media: lenientObject({ url: lenientText, mimetype: lenientText, filename: lenientText }),
  location: lenientObject({
    description: lenientText,
    name: lenientText,
    address: lenientText,
    latitude: lenientNumber,
    longitude: lenientNumber,
  }),
  vCards: z.array(z.unknown()).nullish().catch(null),
  reaction: lenientObject({ text: lenientText, messageId: messageId.nullish().catch(null) }),
  replyTo: z
    .union([messageId, z.object({ id: messageId }).transform(({ id }) => id)])
    .nullish()
    .catch(null),
};

const sentMessage = z.object(messageParts);

type Sent = z.infer<typeof sentMessage> & { id: string; engine: EngineMessage };

type Kind = Pick<InboundParts, "type" | "content"> & { body: string; media?: ProviderMedia };

const kindOf = <T extends Exclude<Content["type"], MediaType | "text">>(
  type: T,
  content: Extract<Content, { type: T }>["content"],
  body: string,
): Kind => ({ type, content, body });

const fileKinds = new Map<string, MediaType>([
  ["image", "image"],
  ["imageMessage", "image"],
  ["video", "video"],
  ["videoMessage", "video"],
  ["ptv", "video"],
  ["ptvMessage", "video"],
  ["audio", "audio"],
  ["audioMessage", "audio"],
  ["ptt", "audio"],
  ["document", "document"],
  ["documentMessage", "document"],
  ["sticker", "sticker"],
  ["stickerMessage", "sticker"],
]);

function fileTypeOf(mimeType: string, { kind }: EngineMessage): MediaType {
  const known = fileKinds.get(kind);
  if (known !== undefined) return known;
  if (mimeType.startsWith("image/webp")) return "sticker";
  const [type = ""] = mimeType.split("/");
  return type === "image" || type === "video" || type === "audio" ? type : "document";
}

/**
 * If a message has a file, WAHA sends the caption as the message's body. If the event contains no `media`, Tidings can
 * still ask WAHA for the file later by the message id.
 */
function fileKind({ id, media, body: caption, engine }: Sent): Kind {
  const [mimeType, filename] = [shortText(media?.mimetype), shortText(media?.filename)];
  const type = fileTypeOf(mimeType ?? "", engine);
  const isVoice = type === "audio" && (engine.kind === "ptt" || engine.content?.ptt === true);
  const url = storable(media?.url ?? "");
  return {
    type,
    content: fitJson(nonEmpty({ mime_type: mimeType, caption, filename, voice: isVoice ? true : null })),
    media: { id: idOf(id), url: url !== "" && url.length <= MAX_URL ? url : null, mimeType, filename, sha256: null },
    body: labelled(isVoice ? "voice message" : type, filename, caption),
  };
}

function locationKind({ location }: Sent): Kind | null {
  if (!location) return null;
  const { description, address } = location;
  const name = description ?? location.name;
  const [latitude, longitude] = [numberOf(location.latitude), numberOf(location.longitude)];
  const body = labelled("location", listed(name, address, latitude, longitude));
  const details = nonEmpty({ name: shortText(name), address: shortText(address) });
  return latitude === null || longitude === null
    ? kindOf("unsupported", { kind: "location", content: details }, body)
    : kindOf("location", { latitude, longitude, ...details }, body);
}

const MAX_CARDS = 300;

function contactsKind({ vCards }: Sent): Kind | null {
  if (!vCards || vCards.length === 0) return null;
  const cards = vCards.slice(0, MAX_CARDS).flatMap((raw) => cardOf(raw) ?? []);
  return {
    type: "contacts",
    content: fitJson(cards),
    body: readableLine({ type: "contacts", content: cards }, true),
  };
}

/**
 * Both spellings are listed: the engine WEBJS sends `buttons_response`, and other engines send
 * `buttonsResponseMessage`.
 */
const BUTTON_REPLIES = new Set([
  "buttons_response",
  "template_button_reply",
  "buttonsResponseMessage",
  "templateButtonReplyMessage",
]);
const LIST_REPLIES = new Set(["list_response", "listResponseMessage"]);
const FORM_REPLIES = new Set(["interactive_response", "interactiveResponseMessage"]);

function replyKind({ engine, body }: Sent, reply: EngineContent): Kind | null {
  const { kind } = engine;
  if (BUTTON_REPLIES.has(kind)) {
    const title = body || reply.selecteddisplaytext || "";
    const id = reply.selectedbuttonid ?? reply.selectedid ?? "";
    return { type: "button_reply", content: fitJson({ id, title }), body: bodyOf(title, "reply") };
  }
  if (LIST_REPLIES.has(kind)) {
    const title = reply.title ?? body ?? "";
    const content = {
      id: reply.singleselectreply?.selectedrowid ?? "",
      title,
      ...nonEmpty({ description: reply.description }),
    };
    return { type: "list_reply", content: fitJson(content), body: bodyOf(title, "reply") };
  }
  const form = FORM_REPLIES.has(kind) ? reply.nativeflowresponsemessage : null;
  if (!form) return null;
  const { name, paramsjson: json } = form;
  const text = reply.body?.text ?? body;
  const response = json ? (parseJsonOrNull(json) ?? json) : null;
  return {
    type: "form_reply",
    content: fitJson({ ...nonEmpty({ name, body: text }), response }),
    body: labelled(name ?? "form", text, json),
  };
}

const TEXTS = new Set(["", "chat", "conversation", "extendedTextMessage"]);
const ORDERS = new Set(["order", "orderMessage"]);

/** Turns `pollCreationMessageV3` and `poll_creation` into "poll creation". */
const wordsOf = (kind: string): string =>
  kind
    .replace(/Message(?:V\d+)?$/, "")
    .replaceAll("_", " ")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .slice(0, 50);

function unsupportedKind({ body, engine: { kind, raw, content } }: Sent): Kind {
  const options = content?.options?.flatMap((option) => option?.optionname ?? option?.name ?? []) ?? [];
  const [name, reason] = [content?.name, ORDERS.has(kind) ? "WAHA does not report the ordered items." : null];
  const kept = options.length > 0 ? { name: name ?? body, options } : raw;
  return {
    type: "unsupported",
    content: {
      kind: storable(kind).slice(0, 100),
      ...nonEmpty({ reason }),
      content: fitJson(kept, MAX_UNSUPPORTED_BYTES),
    },
    body: labelled(wordsOf(kind) || "unsupported message", body || name, listed(...options)),
  };
}

function kindOfMessage(sent: Sent): Kind {
  const { body, reaction, hasMedia, media, engine } = sent;
  if (reaction) {
    const emoji = shortText(reaction.text) ?? "";
    return kindOf("reaction", { emoji }, readableLine({ type: "reaction", content: { emoji } }, true));
  }
  const special = locationKind(sent) ?? contactsKind(sent);
  if (special !== null) return special;
  if (hasMedia || media || fileKinds.has(engine.kind)) return fileKind(sent);
  const reply = engine.content === null ? null : replyKind(sent, engine.content);
  if (reply !== null) return reply;
  return TEXTS.has(engine.kind) ? { type: "text", content: null, body: bodyOf(body) } : unsupportedKind(sent);
}

export function contentOfMessage(
  sent: z.infer<typeof sentMessage> & { id: string; _data?: unknown },
  chats: LenientText[],
): { body: string; parts?: InboundParts } {
  const engine = engineMessage(sent._data);
  const { body, ...kind } = kindOfMessage({ ...sent, engine });
  const target = sent.reaction ? sent.reaction.messageId : (sent.replyTo ?? engine.quoted);
  const replyTo = keysOfId(target, chatForms(chats));
  const { isForwarded } = engine;
  if (kind.type === "text" && replyTo.length === 0 && !isForwarded) return { body: storable(body) };
  const parts = { media: null, ...kind, replyTo, isForwarded, referral: null };
  return { body: storable(body, MAX_BODY_BESIDE_PARTS_BYTES), parts };
}
