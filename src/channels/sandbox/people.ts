// The sandbox simulates people. The last four characters of a person's number or id decide how the person behaves.
import { isPhoneAddress } from "../../shared/text/phone.ts";
import type { OutboundMessage } from "../channel.ts";
import type { InboundEvent, MessageError, StatusEvent, MessagePrice, Person } from "../channel-events.ts";
import type { InboundParts, InteractiveContent, OutboundContent } from "../content.ts";
import { noParts, providerIdOf } from "./sandbox-records.ts";

export const STEP_MS = 1000;

export type Report = { afterMs: number; event: StatusEvent | InboundEvent };

export const fault = (code: MessageError["code"], message: string): MessageError => ({
  code,
  message,
  providerCode: "sandbox",
});

/**
 * A simulated person whose number ends in these digits hides the number. Messages from this person then contain only a
 * user id.
 */
const HIDES_NUMBER = "0009";

export const hiddenIdOf = (to: string): string | null =>
  isPhoneAddress(to) && to.endsWith(HIDES_NUMBER) ? `person.${to.slice(1)}` : null;

function personAt(to: string): Person {
  const userId = hiddenIdOf(to) ?? (isPhoneAddress(to) ? null : to);
  return { phone: userId === null ? to : null, userId, name: null };
}

/** As on WhatsApp, templates cost money and replies within 24 hours are free. */
function priceOf({ template }: OutboundMessage): MessagePrice {
  if (template === undefined) return { billable: false, category: "service", type: "free_customer_service" };
  const { isMarketing = false, isAuthentication = false } = template;
  const category = isMarketing ? "marketing" : isAuthentication ? "authentication" : "utility";
  return { billable: true, category, type: "regular" };
}

function statuses(message: OutboundMessage, now: number, ...names: StatusEvent["status"][]): Report[] {
  const userId = hiddenIdOf(message.to);
  return names.map((status, index) => {
    const afterMs = (index + 1) * STEP_MS;
    const event: StatusEvent = {
      type: "status",
      messageId: message.id,
      providerMessageId: providerIdOf(message),
      providerKey: null,
      status,
      at: now + afterMs,
      error: null,
      ...(status === "delivered" && { price: priceOf(message) }),
      ...(userId !== null && { recipient: { phone: message.to, userId } }),
    };
    return { afterMs, event };
  });
}

interface Reply {
  body: string;
  parts?: InboundParts;
}

function reply(message: OutboundMessage, now: number, { body, parts }: Reply): Report {
  const event: InboundEvent = {
    type: "message",
    messageId: null,
    providerMessageId: `${providerIdOf(message)}-reply`,
    from: personAt(message.to),
    body,
    ...(parts && { parts }),
    at: now + STEP_MS,
  };
  return { afterMs: STEP_MS, event };
}

function interactiveReply(content: InteractiveContent, replyTo: string[]): Reply {
  const quoting = { ...noParts, replyTo };
  switch (content.type) {
    case "buttons": {
      const [{ id, title } = { id: "", title: "" }] = content.buttons;
      return { body: title, parts: { ...quoting, type: "button_reply", content: { id, title } } };
    }
    case "list": {
      const [row = { id: "", title: "" }] = content.sections.flatMap(({ rows }) => rows);
      return { body: row.title, parts: { ...quoting, type: "list_reply", content: row } };
    }
    case "location_request": {
      const coordinates = { latitude: 37.7749, longitude: -122.4194 };
      return { body: "[location] 37.7749, -122.4194", parts: { ...quoting, type: "location", content: coordinates } };
    }
    case "link":
      return { body: content.body };
  }
}

function echoOf(message: OutboundMessage, content: OutboundContent | undefined): Reply {
  const { body, replyTo } = message;
  switch (content?.type) {
    case undefined:
    case "text":
      return { body };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const { media_id: id, ...rest } = content.content;
      const media = { id, url: null, mimeType: rest.mime_type ?? null, filename: rest.filename ?? null, sha256: null };
      return { body, parts: { ...noParts, type: content.type, content: rest, media } };
    }
    case "interactive":
      return interactiveReply(content.content, [providerIdOf(message)]);
    case "reaction": {
      const { emoji } = content.content;
      const target = replyTo === undefined ? [] : [replyTo];
      return { body, parts: { ...noParts, type: "reaction", content: { emoji }, replyTo: target } };
    }
    case "location":
    case "contacts":
      return { body, parts: { ...noParts, type: content.type, content: content.content } };
  }
}

export function reportsOf(message: OutboundMessage, now: number): Report[] {
  switch (message.to.slice(-4)) {
    case "0003":
      return statuses(message, now, "sent", "delivered", "read");
    case "0004":
      return [];
    case "0005":
      return [...statuses(message, now, "delivered", "read"), reply(message, now, { body: "STOP" })];
    case "0006":
      return [...statuses(message, now, "delivered", "read"), reply(message, now, echoOf(message, message.content))];
    case HIDES_NUMBER:
      return [...statuses(message, now, "delivered", "read"), reply(message, now, { body: "Hello" })];
    default:
      return statuses(message, now, "delivered", "read");
  }
}
