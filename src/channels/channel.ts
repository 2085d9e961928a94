// What a messaging provider is to Tidings. A channel knows no database and no HTTP framework.

/** Why a message failed, as the contract names it. */
export const messageErrorCodes = [
  "invalid_recipient",
  "undeliverable",
  "window_closed",
  "unsubscribed",
  "template_rejected",
  "rate_limited",
  "account_blocked",
  "provider_unreachable",
  "provider_rejected",
] as const;

export type MessageErrorCode = (typeof messageErrorCodes)[number];

export interface MessageError {
  code: MessageErrorCode;
  message: string;
  providerCode: string | null;
}

/** A connection with its secrets opened. */
export interface OpenConnection {
  id: string;
  config: Record<string, string>;
}

/** A value for a template's variable; null as a name means that it goes by position. */
export interface TemplateValue {
  name: string | null;
  text: string;
}

/** What a template approved by the provider is filled in with, part by part. Parts without variables are left out. */
export interface OutboundTemplate {
  name: string;
  language: string;
  header: TemplateValue[];
  body: TemplateValue[];
  /** `index` counts the template's buttons from 0. */
  buttons: { index: number; kind: "url" | "copy_code"; text: string }[];
}

export interface OutboundMessage {
  /** Ours; goes to the provider as opaque data where it takes some. */
  id: string;
  /** E.164, or the provider's user id of a person without a number. */
  to: string;
  /** What the person reads; of a template, its rendering. */
  body: string;
  /** 1 for the first call. */
  attempt: number;
  template?: OutboundTemplate;
}

/** What else is to wait when a provider asks for a pause: all that goes out, or what goes to that person. */
export type RetryScope = "connection" | "recipient";

/** What one call came to. Only `retry` may be called again; after `lost` the provider may have the message. */
export type SendOutcome =
  | { kind: "accepted"; providerMessageId: string }
  | { kind: "refused"; error: MessageError }
  | { kind: "retry"; error: MessageError; afterMs?: number; scope?: RetryScope }
  | { kind: "lost"; error: MessageError };

export type DeliveryStatus = "sent" | "delivered" | "read" | "failed";

/** A status of one of our messages, named by the id we gave it. `at` is ms since the epoch. */
export interface StatusEvent {
  type: "status";
  messageId: string;
  providerMessageId: string;
  status: DeliveryStatus;
  at: number;
  error: MessageError | null;
}

/** Somebody wrote to us. */
export interface InboundEvent {
  type: "message";
  /** Ours, when it had to be known before the event was stored. */
  messageId: string | null;
  providerMessageId: string;
  /** At least one of the two is set. `phone` is E.164. */
  from: { phone: string | null; userId: string | null; name: string | null };
  body: string;
  at: number;
}

export type ChannelEvent = StatusEvent | InboundEvent;

export type TemplateStatus = "APPROVED" | "PENDING" | "REJECTED";

/** A template as the provider holds it; `components` is its own description of header, body, footer and buttons. */
export interface ProviderTemplate {
  providerId: string;
  name: string;
  language: string;
  category: string | null;
  status: TemplateStatus;
  /** How its variables are addressed. */
  parameters: "positional" | "named";
  components: Record<string, unknown>[];
}

/** The phone network the sandbox channel talks to, in place of the real one. */
export interface PhoneNetwork {
  /** Takes a message, and later reports what became of it. */
  hand(
    connection: OpenConnection,
    message: OutboundMessage,
    reports: { afterMs: number; event: ChannelEvent }[],
  ): Promise<void>;
}

/** What a channel may use of the outside. */
export interface ChannelIo {
  phoneNetwork: PhoneNetwork;
  now(): number;
}

/** A provider's answer to an interactive call: it does not work, and why. */
export class ProviderError extends Error {
  constructor(
    readonly detail: string,
    readonly providerCode: string | null = null,
  ) {
    super(detail);
  }
}

export interface Channel {
  /** Makes one call to the provider. To throw is to have lost the answer: the message may have been sent. */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  /** Whether the provider can be reached with these settings, in a sentence. */
  test(connection: OpenConnection): Promise<{ detail: string }>;
  /** All templates the provider holds, where it keeps any. Throws `ProviderError`. */
  syncTemplates?(connection: OpenConnection, io: Omit<ChannelIo, "phoneNetwork">): Promise<ProviderTemplate[]>;
}
