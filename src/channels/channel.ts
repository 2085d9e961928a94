// The interface of a messaging provider. A channel knows no database and no HTTP framework.
import type { Cache } from "../shared/context.ts";
import type { Download, Upstream } from "../shared/upstream.ts";
import type {
  TemplateRef,
  OutboundTemplate,
  ReviewIo,
  SubmittedTemplate,
  TemplateDraft,
  TemplateEvent,
  TemplateList,
  TemplateRevision,
  TemplateStatus,
} from "./templates/channel-templates.ts";
import type { InboundParts, OutboundContent, ProviderMedia } from "./content.ts";
import type { FetchedMedia, MediaFile, MediaLibrary } from "./media.ts";
import type { ConnectionNotice, NoticeEvent } from "./connection-status.ts";
import type { DeliveryStatus, MessagePrice } from "./delivery-status.ts";
import type { IdentityEvent, Person, PreferenceEvent, ReadReceipt, RevisionEvent } from "./people.ts";

/** The reasons of a failed message, as the contract names them. */
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
  /** The text that the person reads; of a template, its rendering; of other kinds a readable line. */
  body: string;
  /** Left out of a plain text and of a template. */
  content?: OutboundContent;
  /** The provider's id of the message that it answers, or that a reaction is to. */
  replyTo?: string;
  /** 1 for the first call. */
  attempt: number;
  template?: OutboundTemplate;
}

/** The messages that also wait when a provider asks for a pause: all of the connection, or those to the same person. */
export type RetryScope = "connection" | "recipient";

/**
 * The outcome of one call. Only after `retry` may the call be repeated; after `lost` the provider may have the message.
 * `pauses`: the campaign's other sends would fail too. `scope`: what else waits until the retry.
 */
export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /** The key in reports of a provider that never sends our id back. Left out where the provider's id is the key. */
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

/** A status of one of our messages. `at` is ms since the epoch. */
export interface StatusEvent {
  type: "status";
  /** The id we gave it; null where the provider names it by its own only. */
  messageId: string | null;
  providerMessageId: string;
  /** As of `accepted`; null where the provider's id is the key. */
  providerKey: string | null;
  status: DeliveryStatus;
  at: number;
  error: MessageError | null;
  price?: MessagePrice | null;
  /** The provider's name of the recipient. */
  recipient?: { phone: string | null; userId: string } | null;
  /** The recipient, where a message of ours may have to be found without our id: E.164 or the provider's user id. */
  sentTo?: string | null;
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
  /** A readable line for every kind. */
  body: string;
  parts?: InboundParts | null;
  at: number;
  /** The provider's own agent answers it. */
  isStandby?: boolean;
}

/** A message of our own, perhaps not sent through Tidings: the account's own phone sends too. */
export interface OwnMessageEvent {
  type: "own";
  providerMessageId: string;
  providerKey: string;
  to: Person;
  body: string;
  parts?: InboundParts | null;
  at: number;
  /** True where it came in over the provider's API; null where the provider does not say. */
  viaApi: boolean | null;
  /** The provider's own agent sent it. */
  isStandby?: boolean;
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

/** The outcome of an upload: whatever does not refuse it may be tried again, since a second copy harms nobody. */
export type UploadOutcome = { kind: "uploaded" } | Extract<SendOutcome, { kind: "refused" | "retry" }>;

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
  download: Download;
}

/** The means of a channel to send. `memory`: facts it learned before, eventually consistent. */
export interface ChannelIo extends AskIo {
  memory: Cache;
  media: MediaLibrary;
  phoneNetwork: PhoneNetwork;
  now(): number;
}

/** A provider's answer to an interactive call: it does not work, and why. */
export class ProviderError extends Error {
  constructor(
    readonly detail: string,
    readonly providerCode: string | null = null,
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
  /** Makes one call to the provider. To throw is to have lost the answer, unless it is `UpstreamClosed`: then no call was made. */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  /** That the provider can be reached with these settings, in a sentence; else throws `ProviderError`. */
  test(connection: OpenConnection, io: AskIo): Promise<{ detail: string }>;
  /** The templates the provider holds, where it keeps any. Throws `ProviderError`. */
  syncTemplates?(connection: OpenConnection, io: AskIo): Promise<TemplateList>;
  /** Submits a template. Throws `ProviderError` where the provider refuses it; to throw anything else is to have lost the answer. */
  createTemplate?(connection: OpenConnection, draft: TemplateDraft, io: AskIo & ReviewIo): Promise<SubmittedTemplate>;
  /** Submits a change of a template; gives its status after it. Throws as `createTemplate` does. */
  editTemplate?(
    connection: OpenConnection,
    template: TemplateRef,
    change: TemplateRevision,
    io: AskIo & ReviewIo,
  ): Promise<{ status: TemplateStatus }>;
  /** Deletes a template in its one language; one that is gone already is deleted. Throws as `createTemplate` does. */
  deleteTemplate?(connection: OpenConnection, template: { providerId: string; name: string }, io: AskIo): Promise<void>;
  /** Uploads the example file of a template's header, which may need a setting; gives its handle. Throws `ProviderError`. */
  uploadExample?(connection: OpenConnection, file: MediaFile, io: AskIo): Promise<string>;
  exampleSetting?: string;
  /** Uploads a file ahead of the messages that carry it, and stores its id in `io.media`, unless it is known there. To throw is to have failed for now. */
  uploadMedia?(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<UploadOutcome>;
  /** The number (E.164) behind a user id that hides it; null where the provider does not know it. Throws `ProviderError`. */
  findPhone?(connection: OpenConnection, userId: string, io: AskIo): Promise<string | null>;
  /** Streams a file that came in. Access tokens go to the provider's own hosts only. Throws `ProviderError`, and `MediaGone` where the file has lapsed. */
  fetchMedia?(
    connection: OpenConnection,
    media: ProviderMedia,
    io: AskIo & Pick<ChannelIo, "media">,
  ): Promise<FetchedMedia>;
  /** Tells the person that messages up to this one have been read. Throws `ProviderError`. */
  markRead?(connection: OpenConnection, message: ReadReceipt, io: AskIo & Pick<ChannelIo, "memory">): Promise<void>;
  webhook?: ChannelWebhook;
}
