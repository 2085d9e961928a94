// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import * as z from "zod";
import { parseJsonOrNull } from "../../../shared/text/json.ts";
import type { InboundParts, MediaType, ProviderMedia } from "../../content.ts";
import {
  lenientText,
  lenientObject,
  type LenientText,
  numberOf,
  MAX_BODY_BESIDE_PARTS_BYTES,
  fitJson,
  nonEmpty,
  idOf,
  shortText,
  exactTimeOf,
} from "../../provider-input.ts";
import {
  bodyOfMessage,
  type CloudMessage,
  NO_TYPE,
  isForwardedBy,
  type MessageContext,
  referralOf,
  messageContent,
  messageContext,
} from "./bodies.ts";
import { contactCards } from "./contact-cards.ts";
import type { RevisionEvent } from "../../channel-events.ts";

type Kind = Pick<InboundParts, "type" | "content"> & { media?: ProviderMedia | null };

const MAX_URL = 4000;
const urlOf = (url: LenientText): string | null => (url && url.length <= MAX_URL && URL.canParse(url) ? url : null);

const webUrlOf = (url: LenientText): string | null => (url && /^https?:/i.test(url) ? urlOf(url) : null);

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** Meta documents hex but sends base64, so both are accepted. */
function sha256Of(hash: LenientText): string | null {
  if (!hash) return null;
  if (HEX.test(hash)) return hash.toLowerCase();
  return BASE64.test(hash) ? Uint8Array.from(atob(hash), (byte) => byte.charCodeAt(0)).toHex() : null;
}

function mediaKind(type: MediaType, sent: CloudMessage): Kind | null {
  const file = sent[type];
  const [id, url] = [idOf(file?.id), urlOf(file?.url)];
  if (!file || (id === null && url === null)) return null;
  const [mimeType, filename] = [shortText(file.mime_type), shortText(file.filename)];
  return {
    type,
    content: nonEmpty({
      mime_type: mimeType,
      caption: file.caption,
      filename,
      voice: file.voice === true ? true : null,
    }),
    media: { id, url, mimeType, filename, sha256: sha256Of(file.sha256) },
  };
}

function locationKind({ location }: CloudMessage): Kind | null {
  const [latitude, longitude] = [numberOf(location?.latitude), numberOf(location?.longitude)];
  if (!location || latitude === null || longitude === null) return null;
  return {
    type: "location",
    content: {
      latitude,
      longitude,
      ...nonEmpty({ name: location.name, address: location.address, url: webUrlOf(location.url) }),
    },
  };
}

const contactsKind = ({ contacts }: CloudMessage): Kind | null =>
  contacts && contacts.length > 0 ? { type: "contacts", content: contactCards(contacts) } : null;

function formKind(form: NonNullable<NonNullable<CloudMessage["interactive"]>["nfm_reply"]>): Kind {
  const json = form.response_json;
  const response = json ? (parseJsonOrNull(json) ?? json) : null;
  return { type: "form_reply", content: { ...nonEmpty({ name: form.name, body: form.body }), response } };
}

function interactiveKind(sent: CloudMessage): Kind | null {
  const { interactive } = sent;
  if (!interactive) return null;
  const { button_reply, list_reply, nfm_reply } = interactive;
  if (button_reply)
    return { type: "button_reply", content: { id: button_reply.id ?? "", title: button_reply.title ?? "" } };
  if (list_reply) {
    const { id, title, description } = list_reply;
    return { type: "list_reply", content: { id: id ?? "", title: title ?? "", ...nonEmpty({ description }) } };
  }
  if (nfm_reply) return formKind(nfm_reply);
  const { type } = interactive;
  return unsupported(sent, type ?? "interactive", type ? (ownValue(interactive, type) ?? interactive) : interactive);
}

function orderKind({ order }: CloudMessage): Kind | null {
  if (!order) return null;
  const products = (order.product_items ?? []).map(({ product_retailer_id, quantity, item_price, currency }) => ({
    product_id: product_retailer_id ?? "",
    quantity: numberOf(quantity) ?? 1,
    ...nonEmpty({ price: numberOf(item_price), currency }),
  }));
  return { type: "order", content: { ...nonEmpty({ catalog_id: order.catalog_id, text: order.text }), products } };
}

const ownValue = (of: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(of, name) ? of[name] : undefined;

function unsupported(sent: CloudMessage, kind: string, content: unknown): Kind {
  const [error] = sent.errors ?? [];
  const title = error?.title ?? error?.message;
  const provider_code = shortText(error?.code?.toString());
  const reason = error?.error_data?.details ?? error?.message ?? title;
  return {
    type: "unsupported",
    content: { kind: shortText(kind) ?? "unknown", ...nonEmpty({ provider_code, title, reason, content }) },
  };
}

function kindOf(sent: CloudMessage): Kind | null {
  const { type, reaction, button } = sent;
  switch (type) {
    case "text":
      return { type, content: null };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return mediaKind(type, sent);
    case "location":
      return locationKind(sent);
    case "contacts":
      return contactsKind(sent);
    case "reaction":
      // When a person removes a reaction, Meta sends it without an emoji.
      return reaction ? { type, content: { emoji: reaction.emoji ?? "" } } : null;
    case "button":
      return button ? { type: "button_reply", content: { id: button.payload ?? "", title: button.text ?? "" } } : null;
    case "interactive":
      return interactiveKind(sent);
    case "order":
      return orderKind(sent);
    default:
      return null;
  }
}

/**
 * If Meta does not support a kind of message, it sends the type "unsupported" and names the kind in another field, for
 * example `unsupported: {type: "poll_creation"}`.
 */
const nameOfKind = ({ type, unsupported: named }: CloudMessage): string =>
  type === "unsupported" || type === NO_TYPE ? (named?.type ?? type) : type;

const keysOf = (...ids: LenientText[]): string[] => ids.flatMap((id) => idOf(id) ?? []).slice(0, 1);

function partsOf(sent: CloudMessage & MessageContext): InboundParts | null {
  const { context, reaction } = sent;
  const kind = kindOf(sent) ?? unsupported(sent, nameOfKind(sent), ownValue(sent, sent.type));
  const referral = referralOf(sent);
  const replyTo = keysOf(kind.type === "reaction" ? reaction?.message_id : context?.id);
  const isForwarded = isForwardedBy(sent);
  if (kind.type === "text" && replyTo.length === 0 && !isForwarded && referral === null) return null;
  return {
    type: kind.type,
    content: fitJson(kind.content),
    media: kind.media ?? null,
    replyTo,
    isForwarded,
    referral,
  };
}

const contentKinds = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "reaction",
  "button",
  "interactive",
  "order",
] as const;

/**
 * If a message has no type, this function uses the name of the field that contains the content, such as "location".
 * Meta's own example of a location message has no type.
 */
function withType<Sent extends CloudMessage>(sent: Sent): Sent {
  const type = sent.type === NO_TYPE ? contentKinds.find((kind) => sent[kind]) : undefined;
  return type === undefined ? sent : { ...sent, type };
}

export function contentOf(message: CloudMessage & MessageContext): { body: string; parts?: InboundParts } {
  const sent = withType(message);
  const parts = partsOf(sent);
  return parts === null
    ? { body: bodyOfMessage(sent) }
    : { body: bodyOfMessage(sent, MAX_BODY_BESIDE_PARTS_BYTES), parts };
}

export const revision = {
  edit: lenientObject({ original_message_id: lenientText, message: messageContent.extend(messageContext) }),
  revoke: lenientObject({ original_message_id: lenientText }),
};

interface RevisingMessage extends z.infer<z.ZodObject<typeof revision>> {
  id: string;
  type: string;
  timestamp?: unknown;
}

export function revisionOf(
  sent: RevisingMessage,
  person: Pick<RevisionEvent, "by" | "to">,
  receivedAt: number,
): RevisionEvent | null {
  const kind = sent.type === "edit" || sent.type === "revoke" ? sent.type : null;
  const key = kind === null ? null : idOf(sent[kind]?.original_message_id);
  if (kind === null || key === null) return null;
  const changed = kind === "edit" && sent.edit ? contentOf(sent.edit.message) : { body: null };
  const at = exactTimeOf(sent.timestamp) ?? receivedAt;
  return { type: "revision", kind, revisionId: sent.id, providerKeys: [key], ...person, ...changed, at };
}
