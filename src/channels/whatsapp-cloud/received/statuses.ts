// Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
import * as z from "zod";
import type { ChannelEvent, StatusEvent, MessagePrice } from "../../channel-events.ts";
import { lenientText, lenientBoolean, lenientObject, idOf, shortText, timeOf } from "../../provider-input.ts";
import { errorOfStatus } from "../errors.ts";
import { type Contact, phoneOf, recipientOf, marketingEvent } from "./people.ts";

const status = z.object({
  id: z.string(),
  status: z.string(),
  timestamp: z.unknown().optional(),
  biz_opaque_callback_data: lenientText,
  recipient_id: lenientText,
  recipient_user_id: lenientText,
  pricing: lenientObject({ billable: lenientBoolean, category: lenientText, type: lenientText }),
  errors: z.array(z.unknown()).catch([]),
});

/**
 * Maps Meta's statuses to those of Tidings. Meta reports `played` when a recipient has played a voice message.
 * `deleted` and `warning` are left out, because they say nothing about delivery.
 */
const deliveries = { sent: "sent", delivered: "delivered", read: "read", played: "read", failed: "failed" } as const;
const isDelivery = (name: string): name is keyof typeof deliveries => Object.hasOwn(deliveries, name);

const MAX_WORD = 60;

/**
 * Meta charges for delivered messages and reports the price with `delivered` or `read`. The price in `sent` is
 * ignored, because storing it would be one more write for each message, and the message might never arrive.
 */
const priceOf = ({ status: name, pricing }: z.infer<typeof status>): MessagePrice | null =>
  pricing && name !== "sent"
    ? {
        billable: pricing.billable ?? null,
        category: shortText(pricing.category, MAX_WORD),
        type: shortText(pricing.type, MAX_WORD),
      }
    : null;

export function statusEvents(raw: unknown, contacts: Contact[], receivedAt: number): ChannelEvent[] {
  const { data: sent } = status.safeParse(raw);
  const id = idOf(sent?.id);
  if (sent === undefined || id === null || !isDelivery(sent.status)) return [];
  const at = timeOf(sent.timestamp, receivedAt);
  const failure = sent.status === "failed" ? errorOfStatus(sent.errors) : null;
  // Other software can send through the same account, with opaque data of its own. Only an id that starts with
  // `msg_` is ours.
  const messageId = sent.biz_opaque_callback_data?.startsWith("msg_") ? idOf(sent.biz_opaque_callback_data) : null;
  const recipientId = sent.recipient_id ?? sent.recipient_user_id;
  const event: StatusEvent = {
    type: "status",
    messageId,
    providerMessageId: id,
    providerKey: null,
    status: deliveries[sent.status],
    at,
    error: failure?.error ?? null,
    price: priceOf(sent),
    recipient: recipientOf(sent, contacts),
    ...(messageId === null && { sentTo: phoneOf(recipientId) ?? idOf(recipientId) }),
  };
  const notices: ChannelEvent[] = failure?.notice ? [{ type: "connection", ...failure.notice, at }] : [];
  const recipient = { id: sent.recipient_id, userId: sent.recipient_user_id };
  return [event, ...notices, ...(failure?.stopsMarketing === true ? marketingEvent(recipient, "stop", at) : [])];
}
