// Source: waha.devlike.pro/docs/how-to/events
import * as z from "zod";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import type { OpenConnection } from "../channel.ts";
import type { ChannelEvent, DeliveryStatus, ConnectionNotice } from "../channel-events.ts";
import { lenientText, lenientBoolean, lenientNumber, idOf, timeOf } from "../provider-input.ts";
import { keyOfOwn, messageId, parseMessageId, personIn } from "./ids.ts";
import { messageEvents, voteEvents, editEvents, revokeEvents } from "./messages.ts";

const delivery = z.object({
  event: z.string(),
  session: lenientText,
  timestamp: z.unknown().optional(),
  payload: z.record(z.string(), z.unknown()),
});

const ack = z.object({ id: messageId, fromMe: lenientBoolean, ack: lenientNumber, ackName: lenientText });

const sessionStatus = z.object({ name: lenientText, status: z.string() });

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
      detail: "WhatsApp requires a passkey to link the session. Finish pairing in WAHA.",
    },
    PASSKEY_CONFIRMATION_REQUIRED: {
      status: "disconnected",
      detail: "The session waits for its passkey code to be confirmed on the phone.",
    },
    STOPPED: { status: "disconnected", detail: "The session is stopped." },
    FAILED: { status: "error", detail: "The session failed. Restart it, or pair the phone again." },
  }),
);

export const noticeOfSession = (status: string): ConnectionNotice | null => sessions.get(status) ?? null;

function sessionEvents(raw: unknown, at: number): ChannelEvent[] {
  const notice = noticeOfSession(sessionStatus.safeParse(raw).data?.status ?? "");
  return notice === null ? [] : [{ type: "connection", ...notice, at }];
}

/**
 * `message` is missing here, so that Tidings does not subscribe to it. WAHA reports every received message as
 * `message.any` too, and only `message.any` also reports the messages that the account sent.
 */
const readers = new Map([
  ["message.any", messageEvents],
  ["message.ack", ackEvents],
  ["message.reaction", messageEvents],
  ["message.edited", editEvents],
  ["message.revoked", revokeEvents],
  ["poll.vote", voteEvents],
  ["session.status", sessionEvents],
]);

export const webhookEvents: readonly string[] = [...readers.keys()];

export function parseWahaWebhook({ config }: OpenConnection, body: string, receivedAt: number): ChannelEvent[] {
  const { data } = delivery.safeParse(parseJsonOrNull(body));
  if (data === undefined || (data.session && data.session !== config["session"])) return [];
  const at = timeOf(data.timestamp, receivedAt);
  const read = readers.get(data.event === "message" ? "message.any" : data.event);
  return read === undefined ? [] : read(data.payload, at);
}
