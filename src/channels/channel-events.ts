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
    "`official`: the network's own API, which accepts free text within 24 hours after the person last wrote, and approved templates at any time. `unofficial`: an ordinary account, linked like a second phone.",
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

/** In this event and all others, `at` is in ms since the epoch. */
export const statusEvent = z.object({
  type: z.literal("status"),
  /** The message's id in Tidings. Null if the provider reports only its own id. */
  messageId: textOrNull,
  providerMessageId: z.string(),
  providerKey: textOrNull.default(null),
  status: deliveryStatus,
  at: z.number(),
  error: messageError.nullable(),
  price: messagePrice.nullable().default(null),
  recipient: z.object({ phone: textOrNull, userId: z.string() }).nullable().default(null),
  /**
   * The recipient's E.164 number or user id at the provider. If `messageId` is null, Tidings searches for the message
   * among those to this recipient.
   */
  sentTo: textOrNull.default(null),
});

/** A person has a phone number (E.164), a user id, or both. */
const person = z.object({
  phone: textOrNull,
  userId: textOrNull,
  name: textOrNull,
  username: textOrNull.default(null),
  aliases: z.array(z.string()).default([]),
  /**
   * True if WhatsApp hides the person's number. Tidings then requests the number of `userId` from the provider, which
   * may know it.
   */
  isPhoneHidden: z.boolean().default(false),
});

export type Person = z.input<typeof person>;

/** `body` describes any kind of message as one line of text. `parts` has the details, and is null for plain text. */
const receivedContent = { body: z.string(), parts: inboundParts.nullable().default(null), at: z.number() };

const inboundEvent = z.object({
  type: z.literal("message"),
  /**
   * Set only for a simulated message, because the response to the simulation contains the id before the message is
   * stored. If it is null, Tidings creates the id when it stores the message.
   */
  messageId: textOrNull,
  providerMessageId: z.string(),
  from: person,
  /** The number or id from which the person wrote this message, if it is not one of those in `from`. */
  address: textOrNull.default(null),
  ...receivedContent,
  /** True if an agent of the provider, such as Meta Business Agent, handles the conversation instead of the team. */
  isStandby: z.boolean().default(false),
});

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
  /**
   * The provider may deliver an event twice. Both deliveries have the same `revisionId`, so the second one is
   * ignored.
   */
  revisionId: z.string(),
  /**
   * The keys of the message that was edited or revoked. If the provider's event does not show which of several keys
   * the message has, the list contains all of them.
   */
  providerKeys: z.array(z.string()),
  by: person.nullable(),
  to: person.nullable().default(null),
  ...receivedContent,
  body: textOrNull,
});

const identifiers = person.pick({ phone: true, userId: true });

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
  status: connectionStatus.nullable(),
  detail: textOrNull,
  /**
   * How many new people the connection can write to per day, as the provider spells it. If an event does not contain
   * the limit, the connection keeps its stored limit.
   */
  messagingLimit: z.string().optional(),
  at: z.number(),
});

const templateEvent = z.object({
  type: z.literal("template"),
  providerId: z.string(),
  name: z.string(),
  language: z.string(),
  status: templateStatus.nullable(),
  reason: textOrNull,
  /**
   * `quality` and `category` have defaults, because an event that an earlier version of the Worker queued does not
   * contain them.
   */
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
