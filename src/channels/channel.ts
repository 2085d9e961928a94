// The interface of a messaging provider. A channel knows no database and no HTTP framework.
import * as z from "zod";
import type { Cache } from "../shared/context.ts";
import type { Upstream } from "../shared/upstream.ts";
import type { OutboundTemplate, ProviderTemplate, TemplateStatus } from "./channel-templates.ts";
import type { Person, PreferenceEvent, RevisionEvent } from "./people.ts";

/** The reasons of a failed message, as the contract names them. */
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

/** A connection with its secrets opened; behind a webhook only those that check it. */
export interface OpenConnection {
  id: string;
  config: Record<string, string>;
}

export interface OutboundMessage {
  /** Ours; goes to the provider as opaque data where it takes some. */
  id: string;
  /** E.164, or the provider's user id of a person without a number. */
  to: string;
  /** The spelling of the same number that the person wrote from. */
  wroteFrom?: string;
  /** The text that the person reads; of a template, its rendering. */
  body: string;
  /** 1 for the first call. */
  attempt: number;
  template?: OutboundTemplate;
}

/** The messages that also wait when a provider asks for a pause: all of the connection, or those to the same person. */
export type RetryScope = "connection" | "recipient";

export const connectionStatus = z.enum(["active", "disconnected", "error"]);

export type ConnectionStatus = z.infer<typeof connectionStatus>;

/** The two kinds of connections: to the official programme of a network, or to an ordinary account. */
export const channelName = z.enum(["official", "unofficial"]);

/** A provider's message about the connection itself. A null `status` leaves it as it is. */
export interface ConnectionNotice {
  status: ConnectionStatus | null;
  detail: string | null;
}

/**
 * The outcome of one call. Only after `retry` may the call be repeated; after `lost` the provider may have the message.
 * `pauses`: the campaign's other sends would fail too. `scope`: what else waits until the retry.
 */
export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /** The key that later statuses are found by, where they may come without our id. */
      providerKey?: string;
      /** The provider's ids of the person. */
      userIds?: string[];
    }
  | {
      kind: "refused";
      error: MessageError;
      notice?: ConnectionNotice;
      pauses?: "campaign";
      /** The provider says that the person stopped marketing messages. */
      stopsMarketing?: true;
    }
  | {
      kind: "retry";
      error: MessageError;
      afterMs?: number;
      notice?: ConnectionNotice;
      scope?: RetryScope;
    }
  | { kind: "lost"; error: MessageError };

export const deliveryStatus = z.enum(["sent", "delivered", "read", "failed"]);

export type DeliveryStatus = z.infer<typeof deliveryStatus>;

/** The price of a message, in the provider's own words. */
export interface MessagePrice {
  billable: boolean | null;
  category: string | null;
  type: string | null;
}

/** A status of one of our messages. `at` is ms since the epoch. */
export interface StatusEvent {
  type: "status";
  /** The id we gave it; null where the provider names it by its own only. */
  messageId: string | null;
  providerMessageId: string;
  /** As of `accepted`; null: the provider's id. */
  providerKey: string | null;
  status: DeliveryStatus;
  at: number;
  error: MessageError | null;
  price?: MessagePrice | null;
  /** The provider's name of the recipient. */
  recipient?: { phone: string | null; userId: string } | null;
}

/** Somebody wrote to us. */
export interface InboundEvent {
  type: "message";
  /** Ours, when it had to be known before the event was stored. */
  messageId: string | null;
  providerMessageId: string;
  from: Person;
  /** The number or id of `from` that the message was written from, where that is not the number, else the user id. */
  address?: string | null;
  body: string;
  at: number;
}

/** A message of our own, perhaps not sent through Tidings: the account's own phone sends too. */
export interface OwnMessageEvent {
  type: "own";
  providerMessageId: string;
  providerKey: string;
  to: Person;
  body: string;
  at: number;
  /** True where it came in over the provider's API; null where the provider does not say. */
  viaApi: boolean | null;
}

/** The provider gave a person another number or user id. Either side has at least one of both. */
export interface IdentityEvent {
  type: "identity";
  /** The provider's id of the notice. */
  noticeId: string;
  before: { phone: string | null; userId: string | null };
  now: { phone: string | null; userId: string | null };
  at: number;
}

/** Something happened to the connection. */
export interface NoticeEvent extends ConnectionNotice {
  type: "connection";
  at: number;
}

/** The provider reviewed a template. `providerId` is its own id for it. */
export interface TemplateEvent {
  type: "template";
  providerId: string;
  name: string;
  language: string;
  status: TemplateStatus;
  reason: string | null;
  at: number;
}

export type ChannelEvent =
  | StatusEvent
  | InboundEvent
  | OwnMessageEvent
  | IdentityEvent
  | RevisionEvent
  | PreferenceEvent
  | NoticeEvent
  | TemplateEvent;

/** The phone network the sandbox channel talks to, in place of the real one. */
export interface PhoneNetwork {
  /** Takes a message, and later reports what became of it. */
  hand(
    connection: OpenConnection,
    message: OutboundMessage,
    reports: { afterMs: number; event: ChannelEvent }[],
  ): Promise<void>;
}

/** The means of a channel to ask a provider something. */
export interface AskIo {
  upstream: Upstream;
}

/** The means of a channel to send. `memory`: facts it learned before, eventually consistent. */
export interface ChannelIo extends AskIo {
  memory: Cache;
  phoneNetwork: PhoneNetwork;
  now(): number;
}

/** A provider's answer to an interactive call: it does not work, and why. */
export class ProviderError extends Error {
  constructor(
    readonly detail: string,
    readonly providerCode: string | null = null,
    /** The provider's notice about the connection. */
    readonly notice: ConnectionNotice | null = null,
  ) {
    super(detail);
  }
}

/** A provider's reports over HTTP. Only bodies with a valid signature are parsed. */
export interface ChannelWebhook {
  /** The names of the secrets needed here. */
  secrets: readonly string[];
  /** The provider's names for the events that must be sent here. */
  events: readonly string[];
  /** The answer to a provider that asks whether this address is ours; null when it is not meant. */
  challenge(connection: OpenConnection, query: Record<string, string>): Promise<string | null>;
  /** True where the provider signed these bytes. */
  verify(connection: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean>;
  /** The events in a body, reduced to what is used. Never throws: only malformed and unknown parts are left out. */
  parse(connection: OpenConnection, body: string, receivedAt: number): ChannelEvent[];
}

export interface Channel {
  /**
   * Makes one call to the provider. To throw is to have lost the answer: the message may have been sent. `UpstreamClosed`
   * alone says that no call was made.
   */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  /** That the provider can be reached with these settings, in a sentence; else throws `ProviderError`. */
  test(connection: OpenConnection, io: AskIo): Promise<{ detail: string }>;
  /** All templates the provider holds, where it keeps any. Throws `ProviderError`. */
  syncTemplates?(connection: OpenConnection, io: AskIo): Promise<ProviderTemplate[]>;
  /** The number (E.164) behind a user id that hides it; null where the provider does not know it. Throws `ProviderError`. */
  findPhone?(connection: OpenConnection, userId: string, io: AskIo): Promise<string | null>;
  webhook?: ChannelWebhook;
}
