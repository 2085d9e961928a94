// The interface of a messaging provider. Channels use neither the database nor the HTTP framework.
import type { Cache } from "../shared/context.ts";
import type { Download, Upstream } from "../shared/network/upstream.ts";
import type {
  TemplateRef,
  OutboundTemplate,
  SubmittedTemplate,
  TemplateDraft,
  TemplateList,
  TemplateRevision,
  TemplateStatus,
} from "./templates/channel-templates.ts";
import type { ChannelEvent, ConnectionNotice, MessageError, TemplateEvent } from "./channel-events.ts";
import type { OutboundContent, ProviderMedia } from "./content.ts";

/** A connection with decrypted secrets. For a webhook, only the secrets that verify its signature are decrypted. */
export interface OpenConnection {
  id: string;
  config: Record<string, string>;
}

export interface OutboundMessage {
  /** Our id. Passed to the provider as opaque data, if the provider supports this. */
  id: string;
  /** E.164. For a person without a number, the provider's user id. */
  to: string;
  wroteFrom?: string;
  body: string;
  /** Missing for plain text and templates. */
  content?: OutboundContent;
  replyTo?: string;
  attempt: number;
  template?: OutboundTemplate;
}

/** Which messages wait during a pause: all messages of the connection, or only messages to one person. */
export type RetryScope = "connection" | "recipient";

/**
 * The call can only be repeated after `retry`. After `lost`, the provider can have the message. `pauses` means that the
 * campaign's other messages would also fail.
 */
export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /**
       * The key of the message in status reports, if the provider does not return our id. If missing, the key is
       * `providerMessageId`.
       */
      providerKey?: string;
      userIds?: string[];
    }
  | {
      kind: "refused";
      error: MessageError;
      notice?: ConnectionNotice;
      pauses?: "campaign";
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

/** Every result except `refused` can be retried, because a second copy of a file is harmless. */
export type UploadOutcome = { kind: "uploaded" } | Extract<SendOutcome, { kind: "refused" | "retry" }>;

export interface PhoneNetwork {
  hand(
    connection: OpenConnection,
    message: OutboundMessage,
    reports: { afterMs: number; event: ChannelEvent }[],
  ): Promise<void>;
}

export interface ReviewIo {
  reportReview(review: TemplateEvent, afterMs: number): Promise<void>;
  now(): number;
}

export interface ReadReceipt {
  providerMessageId: string;
  from: string;
}

export interface HttpIo {
  upstream: Upstream;
  download: Download;
}

/** Dependencies of a channel that sends. `memory` stores facts from earlier calls and is eventually consistent. */
export interface ChannelIo extends HttpIo {
  memory: Cache;
  media: MediaLibrary;
  phoneNetwork: PhoneNetwork;
  now(): number;
}

export class ProviderError extends Error {
  constructor(
    readonly detail: string,
    readonly providerCode: string | null = null,
    readonly notice: ConnectionNotice | null = null,
  ) {
    super(detail);
  }
}

/** Handles requests of a provider. Only bodies with a valid signature are parsed. */
export interface ChannelWebhook {
  secrets: readonly string[];
  events: readonly string[];
  /** Returns the response by which a provider confirms this address, or null for other requests. */
  challenge(connection: OpenConnection, query: Record<string, string>): Promise<string | null>;
  verify(connection: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean>;
  /** Never throws. Malformed and unknown parts are skipped. */
  parse(connection: OpenConnection, body: string, receivedAt: number): ChannelEvent[];
}

export interface Channel {
  /**
   * Makes one call to the provider. `UpstreamClosed` means that the call was not made. Any other error means that the
   * response was lost.
   */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  /** Returns a sentence about the connection. Throws `ProviderError` if the connection does not work. */
  test(connection: OpenConnection, io: HttpIo): Promise<{ detail: string }>;
  syncTemplates?(connection: OpenConnection, io: HttpIo): Promise<TemplateList>;
  /** Submits a template. Throws `ProviderError` for a rejection. Any other error means that the response was lost. */
  createTemplate?(connection: OpenConnection, draft: TemplateDraft, io: HttpIo & ReviewIo): Promise<SubmittedTemplate>;
  editTemplate?(
    connection: OpenConnection,
    template: TemplateRef,
    change: TemplateRevision,
    io: HttpIo & ReviewIo,
  ): Promise<{ status: TemplateStatus }>;
  /** Deletes one language of a template. Succeeds if it is already deleted. Throws as `createTemplate` does. */
  deleteTemplate?(
    connection: OpenConnection,
    template: { providerId: string; name: string },
    io: HttpIo,
  ): Promise<void>;
  uploadExample?(connection: OpenConnection, file: MediaFile, io: HttpIo): Promise<string>;
  exampleSetting?: string;
  /**
   * Uploads a file before a message uses it, and stores the provider's id in `io.media`. After an error, the call can
   * be repeated.
   */
  uploadMedia?(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<UploadOutcome>;
  /** Returns the number (E.164) of a user id, or null if the provider does not reveal it. Throws `ProviderError`. */
  findPhone?(connection: OpenConnection, userId: string, io: HttpIo): Promise<string | null>;
  /** Streams a received file. Throws `ProviderError`, or `MediaGone` if the file has expired. */
  fetchMedia?(
    connection: OpenConnection,
    media: ProviderMedia,
    io: HttpIo & Pick<ChannelIo, "media">,
  ): Promise<FetchedMedia>;
  /** Sends a read receipt for messages up to this message. Throws `ProviderError`. */
  markRead?(connection: OpenConnection, message: ReadReceipt, io: HttpIo & Pick<ChannelIo, "memory">): Promise<void>;
  webhook?: ChannelWebhook;
}

/** The provider has deleted the file. A retry cannot succeed. */
export class MediaGone extends ProviderError {
  constructor(providerCode: string | null) {
    super("The provider no longer has the file.", providerCode);
  }
}

export class TemplateNameTaken extends ProviderError {}

export interface MediaFile {
  id: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  filename: string | null;
  read(): Promise<ReadableStream<Uint8Array>>;
  /**
   * Returns a signed public URL, which is valid for one hour. Throws `MediaUnavailable` if Tidings has no public
   * address.
   */
  link(): Promise<string>;
}

/** `id` is the provider's id of the file. `isReused` is true for an earlier upload, which can have expired. */
export interface UploadedMedia {
  id: string;
  isReused: boolean;
}

export interface MediaLibrary {
  open(mediaId: string): Promise<MediaFile>;
  /**
   * Returns the provider's id of an earlier upload through this connection. Null if no upload exists, if it has
   * expired, or if its id equals `lapsed`.
   */
  findUpload(connectionId: string, file: MediaFile, lapsed?: string | null): Promise<string | null>;
  /**
   * Runs `work` after the other uploads of this file through this connection in this isolate. `work` then finds their
   * stored id. Throws if the other uploads take too long.
   */
  inTurn<T>(connectionId: string, file: MediaFile, work: () => Promise<T>): Promise<T>;
  storeUpload(connectionId: string, file: MediaFile, providerMediaId: string, forMs: number): Promise<void>;
  /** Runs the upload `name`. Concurrent callers share its result and its failure. */
  shareUpload(name: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia>;
}

/** The file cannot be sent, because it was deleted, its fetch failed, or the provider cannot reach it. */
export class MediaUnavailable extends Error {}

export interface FetchedMedia {
  body: ReadableStream<Uint8Array>;
  /** The type that the provider declares. The type that Tidings detects in the bytes takes precedence. */
  mimeType: string | null;
  bytes: number | null;
}
