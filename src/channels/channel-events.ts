// Events from providers. A channel builds them, and the queue's consumer parses them.
import * as z from "zod";
import { type InboundParts, inboundParts } from "./content.ts";
import { templateStatus } from "./templates/channel-templates.ts";

const textOrNull = z.string().nullable();

export const connectionStatus = z
  .enum(["active", "disconnected", "error"])
  .meta({ id: "ConnectionStatus", description: "Only `active` connections can send." });

export type ConnectionStatus = z.infer<typeof connectionStatus>;

export const channelName = z.enum(["official", "unofficial"]).meta({
  id: "Channel",
  description:
    "`official`: the network's own API, with a 24 hour window and approved templates. `unofficial`: an ordinary account.",
});

export const messageErrorCodes = [
  "invalid_recipient",
  "undeliverable",
  "frequency_capped",
  "window_closed",
  "unsubscribed",
  "template_rejected",
  "rate_limited",
  "account_blocked",
  "provider_unreachable",
  "provider_rejected",
  "unsupported_message",
  "unreachable",
  "media_invalid",
] as const;

export type MessageErrorCode = (typeof messageErrorCodes)[number];

const messageError = z.object({ code: z.enum(messageErrorCodes), message: z.string(), providerCode: textOrNull });

export type MessageError = z.infer<typeof messageError>;

export const deliveryStatus = z.enum(["sent", "delivered", "read", "failed"]);

export type DeliveryStatus = z.infer<typeof deliveryStatus>;

const messagePrice = z.object({ billable: z.boolean().nullable(), category: textOrNull, type: textOrNull });

export type MessagePrice = z.infer<typeof messagePrice>;

/** The status of a message that Tidings sent. In all events, `at` is in ms since the epoch. */
export const statusEvent = z.object({
  type: z.literal("status"),
  /** Our id. Null if the provider returns only its own id. */
  messageId: textOrNull,
  providerMessageId: z.string(),
  providerKey: textOrNull.default(null),
  status: deliveryStatus,
  at: z.number(),
  error: messageError.nullable(),
  price: messagePrice.nullable().default(null),
  recipient: z.object({ phone: textOrNull, userId: z.string() }).nullable().default(null),
  /** The recipient: E.164 or the provider's user id. Required to find a message without our id. */
  sentTo: textOrNull.default(null),
});

/** `phone` (E.164), `userId`, or both are not null. */
const person = z.object({
  phone: textOrNull,
  userId: textOrNull,
  name: textOrNull,
  username: textOrNull.default(null),
  /** Other ids that the provider can use for the person. */
  aliases: z.array(z.string()).default([]),
  /** True if the provider can return the number of `userId` on request. */
  isPhoneHidden: z.boolean().default(false),
});

export type Person = z.input<typeof person>;

/** `body` is a readable line for every kind of message. `parts` is null for plain text. */
const receivedContent = { body: z.string(), parts: inboundParts.nullable().default(null), at: z.number() };

const inboundEvent = z.object({
  type: z.literal("message"),
  /** Our id, if the channel needed an id before the event is stored. */
  messageId: textOrNull,
  providerMessageId: z.string(),
  from: person,
  /** The sender's number or id, if `from` does not contain it. */
  address: textOrNull.default(null),
  ...receivedContent,
  /** True while the provider's own agent answers the conversation. */
  isStandby: z.boolean().default(false),
});

/** A message that the account sent, possibly from its phone. */
const ownMessageEvent = z.object({
  type: z.literal("own"),
  providerMessageId: z.string(),
  providerKey: z.string(),
  to: person,
  ...receivedContent,
  viaApi: z.boolean().nullable(),
  isStandby: z.boolean().default(false),
});

const revisionEvent = z.object({
  type: z.literal("revision"),
  kind: z.enum(["edit", "revoke"]),
  /** Repeated deliveries have the same id. */
  revisionId: z.string(),
  /** Keys under which the message can be stored. One of them is correct. */
  providerKeys: z.array(z.string()),
  /** The author. Null if the account itself is the author. */
  by: person.nullable(),
  /** The person in the conversation, if the account itself is the author. */
  to: person.nullable().default(null),
  ...receivedContent,
  body: textOrNull,
});

const identifiers = person.pick({ phone: true, userId: true });

/** The provider changed a person's number or user id. */
const identityEvent = z.object({
  type: z.literal("identity"),
  noticeId: z.string(),
  before: identifiers,
  now: identifiers,
  at: z.number(),
});

const preferenceEvent = z.object({
  type: z.literal("preference"),
  from: person,
  marketing: z.enum(["stop", "resume"]),
  at: z.number(),
});

const noticeEvent = z.object({
  type: z.literal("connection"),
  /** Null keeps the current status. */
  status: connectionStatus.nullable(),
  detail: textOrNull,
  /** The provider's limit on new people per day, as the provider writes it. If missing, the stored limit remains. */
  messagingLimit: z.string().optional(),
  at: z.number(),
});

const templateEvent = z.object({
  type: z.literal("template"),
  providerId: z.string(),
  name: z.string(),
  language: z.string(),
  /** If `status`, `quality` or `category` is null, the stored value remains. */
  status: templateStatus.nullable(),
  reason: textOrNull,
  /** Earlier versions queued events without `quality` and `category`. */
  quality: textOrNull.default(null),
  category: textOrNull.default(null),
  at: z.number(),
});

export const channelEvent = z.discriminatedUnion("type", [
  statusEvent,
  inboundEvent,
  ownMessageEvent,
  identityEvent,
  revisionEvent,
  preferenceEvent,
  noticeEvent,
  templateEvent,
]);

/** The type of an event that a channel builds. It has all parts but no defaults. */
type WithAllParts<Event> = Event extends { parts?: unknown }
  ? Omit<Event, "parts"> & { parts?: InboundParts | null | undefined }
  : Event;

export type ChannelEvent = WithAllParts<z.input<typeof channelEvent>>;
type EventOf<Type extends ChannelEvent["type"]> = Extract<ChannelEvent, { type: Type }>;

export type StatusEvent = EventOf<"status">;
export type InboundEvent = EventOf<"message">;
export type OwnMessageEvent = EventOf<"own">;
export type RevisionEvent = EventOf<"revision">;
export type IdentityEvent = EventOf<"identity">;
export type PreferenceEvent = EventOf<"preference">;
export type TemplateEvent = EventOf<"template">;
export type ConnectionNotice = Omit<EventOf<"connection">, "type" | "at">;
