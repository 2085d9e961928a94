// The reports of WAHA's webhooks. Source: waha.devlike.pro/docs/how-to/events
import * as z from "zod";
import { parseJsonOrNull } from "../../shared/json.ts";
import type { ChannelEvent, ConnectionNotice, DeliveryStatus, OpenConnection } from "../channel.ts";
import { number, lenientText } from "../lenient.ts";
import { bodyOf, idOf, labelled, listed, nameOf, storable, timeOf } from "../readable.ts";
import { keyOfOwn, messageId, parseMessageId, personIn, personNamed } from "./ids.ts";
import { editEvents, revokeEvents } from "./revisions.ts";

const delivery = z.object({
  event: z.string(),
  session: lenientText,
  timestamp: z.unknown().optional(),
  payload: z.record(z.string(), z.unknown()),
});

/** The engine's own form of the message, of which little is the same in all of them. */
const engineData = z
  .object({
    type: lenientText,
    notifyName: lenientText,
    pushName: lenientText,
    Info: z.object({ PushName: lenientText, SenderAlt: lenientText, RecipientAlt: lenientText }).nullish().catch(null),
    key: z.object({ remoteJidAlt: lenientText, senderPn: lenientText }).nullish().catch(null),
  })
  .nullish()
  .catch(null);

const message = z.object({
  id: messageId,
  timestamp: z.unknown().optional(),
  from: lenientText,
  to: lenientText,
  fromMe: z.boolean().catch(false),
  source: lenientText,
  body: lenientText,
  hasMedia: z.boolean().nullish().catch(null),
  media: z.object({ mimetype: lenientText, filename: lenientText }).nullish().catch(null),
  location: z
    .object({ description: lenientText, name: lenientText, address: lenientText, latitude: number, longitude: number })
    .nullish()
    .catch(null),
  vCards: z.array(z.unknown()).nullish().catch(null),
  reaction: z.object({ text: lenientText }).nullish().catch(null),
  pn: lenientText,
  _data: engineData,
});

type Message = z.infer<typeof message>;

const ack = z.object({ id: messageId, fromMe: z.boolean().nullish().catch(null), ack: number, ackName: lenientText });

const sessionStatus = z.object({ name: lenientText, status: z.string() });

const vCard = z.union([z.string(), z.object({ vcard: z.string() }).transform((card) => card.vcard)]);

/** Name and numbers of a contact card. */
function describeCard(raw: unknown): string {
  const lines = (vCard.safeParse(raw).data ?? "").split(/\r?\n/);
  const valuesOf = (field: RegExp) => lines.filter((line) => field.test(line)).map((line) => line.replace(/^.*?:/, ""));
  return labelled("contact", valuesOf(/^(\w+\.)?FN[;:]/i)[0], ...valuesOf(/^(\w+\.)?TEL[;:]/i));
}

function mediaKind(mimetype: string, type: string): string {
  if (type === "ptt") return "voice message";
  if (type === "sticker" || mimetype.startsWith("image/webp")) return "sticker";
  const [kind = ""] = mimetype.split("/");
  return ["image", "video", "audio"].includes(kind) ? kind : "document";
}

function readableBody({ body, hasMedia, media, location, vCards, _data }: Message): string {
  const type = _data?.type ?? "";
  if (location) {
    const { description, name, address, latitude, longitude } = location;
    return labelled("location", listed(description ?? name, address, latitude, longitude));
  }
  if (vCards && vCards.length > 0) return vCards.map(describeCard).join("\n");
  // The text of a media message is its caption.
  if (hasMedia || media) return labelled(mediaKind(media?.mimetype ?? "", type), media?.filename, body);
  return bodyOf(body, type === "" || type === "chat" ? "empty message" : type.slice(0, 50).replaceAll("_", " "));
}

/** Entries that WhatsApp writes into chats by itself. */
const SERVICE_TYPES = new Set(["e2e_notification", "notification", "notification_template", "protocol", "gp2"]);

const chatOf = ({ id, from, to, fromMe }: Message) => parseMessageId(id)?.chat ?? (fromMe ? (to ?? from) : from) ?? "";

function messageEvents(raw: unknown, receivedAt: number): ChannelEvent[] {
  const { data: sent } = message.safeParse(raw);
  const id = idOf(sent?.id);
  if (sent === undefined || id === null || SERVICE_TYPES.has(sent._data?.type ?? "")) return [];
  const name = nameOf(sent._data?.notifyName ?? sent._data?.pushName ?? sent._data?.Info?.PushName);
  const { fromMe, _data, pn } = sent;
  const others = fromMe ? [_data?.Info?.RecipientAlt] : [_data?.Info?.SenderAlt, _data?.key?.senderPn, pn];
  const person = personNamed(chatOf(sent), [_data?.key?.remoteJidAlt, ...others], fromMe ? null : name);
  if (person === null) return [];
  const at = timeOf(sent.timestamp, receivedAt);
  const body = storable(readableBody(sent));
  if (!sent.fromMe) {
    // The chat is one of the two that the person may be known by.
    const chat = personIn(chatOf(sent), null);
    const address = chat?.userId ?? chat?.phone ?? null;
    return [{ type: "message", messageId: null, providerMessageId: id, from: person, address, body, at }];
  }
  const viaApi = sent.source === "api" || (sent.source === "app" ? false : null);
  return [{ type: "own", providerMessageId: id, providerKey: keyOfOwn(id), to: person, body, at, viaApi }];
}

function reactionEvents(raw: unknown, receivedAt: number): ChannelEvent[] {
  const { data: sent } = message.safeParse(raw);
  if (sent === undefined || sent.fromMe) return [];
  const emoji = sent.reaction?.text;
  const body = emoji ? labelled("reaction", emoji) : labelled("reaction removed");
  const events = messageEvents({ ...sent, hasMedia: null, media: null, location: null, vCards: null }, receivedAt);
  return events.map((event) => (event.type === "message" ? { ...event, body: storable(body) } : event));
}

/** 4 is played. */
const acks = new Map<string, DeliveryStatus>([
  ["-1", "failed"],
  ["1", "sent"],
  ["2", "delivered"],
  ["3", "read"],
  ["4", "read"],
]);

function ackEvents(raw: unknown, at: number): ChannelEvent[] {
  const { data } = ack.safeParse(raw);
  const id = idOf(data?.id);
  const status = acks.get(String(data?.ack));
  if (data === undefined || id === null || status === undefined) return [];
  const parts = parseMessageId(id);
  const isOurs = data.fromMe ?? id.startsWith("true_");
  const recipient = personIn(parts?.chat ?? "", null);
  if (!isOurs || (parts !== null && recipient === null)) return [];
  return [
    {
      type: "status",
      messageId: null,
      providerMessageId: id,
      providerKey: keyOfOwn(id),
      status,
      at,
      error:
        status === "failed"
          ? { code: "undeliverable", message: "WhatsApp reported an error for this message.", providerCode: "ack -1" }
          : null,
      ...(recipient?.userId && { recipient: { phone: null, userId: recipient.userId } }),
    },
  ];
}

const sessions = new Map<string, ConnectionNotice>(
  Object.entries({
    WORKING: { status: "active", detail: null },
    STARTING: { status: "disconnected", detail: "The session is starting." },
    SCAN_QR_CODE: { status: "disconnected", detail: "The session waits for its QR code to be scanned." },
    PASSKEY_REQUIRED: {
      status: "disconnected",
      detail: "WhatsApp asks for a passkey to link the session. Finish pairing in WAHA.",
    },
    PASSKEY_CONFIRMATION_REQUIRED: {
      status: "disconnected",
      detail: "The session waits for its passkey code to be confirmed on the phone.",
    },
    STOPPED: { status: "disconnected", detail: "The session is stopped." },
    FAILED: { status: "error", detail: "The session failed. Restart it, or pair the phone again." },
  }),
);

/** The notice of a session's status; null for one that is not known. */
export const noticeOfSession = (status: string): ConnectionNotice | null => sessions.get(status) ?? null;

function sessionEvents(raw: unknown, at: number): ChannelEvent[] {
  const notice = noticeOfSession(sessionStatus.safeParse(raw).data?.status ?? "");
  return notice === null ? [] : [{ type: "connection", ...notice, at }];
}

/** The reader of each event's payload. `message` is left to its twin `message.any`, which also covers own messages. */
const readers = new Map([
  ["message.any", messageEvents],
  ["message.ack", ackEvents],
  ["message.reaction", reactionEvents],
  ["message.edited", editEvents],
  ["message.revoked", revokeEvents],
  ["session.status", sessionEvents],
]);

/** The events that a session's webhook must be sent. */
export const webhookEvents: readonly string[] = [...readers.keys()];

/** The events of a delivery, which is one of WAHA's events. Unknown events and those of another session are left out. */
export function parseWahaWebhook({ config }: OpenConnection, body: string, receivedAt: number): ChannelEvent[] {
  const { data } = delivery.safeParse(parseJsonOrNull(body));
  if (data === undefined || (data.session && data.session !== config["session"])) return [];
  const at = timeOf(data.timestamp, receivedAt);
  const read = readers.get(data.event === "message" ? "message.any" : data.event);
  return read === undefined ? [] : read(data.payload, at);
}
