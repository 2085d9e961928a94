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

/** A connection with decrypted secrets. For a webhook, only the secrets that verify the webhook are decrypted. */
export interface OpenConnection {
  id: string;
  config: Record<string, string>;
}

export interface OutboundMessage {
  /** Our id, passed to the provider as opaque data if it supports that. */
  id: string;
  /** E.164, or the provider's user id of a person without a number. */
  to: string;
  wroteFrom?: string;
  body: string;
  /** Missing for plain text and templates. */
  content?: OutboundContent;
  replyTo?: string;
  attempt: number;
  template?: OutboundTemplate;
}

/** Which messages wait during a pause: all messages of the connection, or messages to the same person. */
export type RetryScope = "connection" | "recipient";

/**
 * Only `retry` allows a repeat of the call. After `lost`, the provider can have the message. `pauses` means that other
 * messages of the campaign would also fail.
 */
export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /**
       * The key of the message in status reports, for a provider that does not return our id. Missing if the key is the
       * provider's id.
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

/** Every result except a refusal can be retried, because a second copy of the file is harmless. */
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

/** A provider's webhook requests. Only bodies with a valid signature are parsed. */
export interface ChannelWebhook {
  secrets: readonly string[];
  events: readonly string[];
  /** The response that confirms this address to a provider; null for other requests. */
  challenge(connection: OpenConnection, query: Record<string, string>): Promise<string | null>;
  verify(connection: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean>;
  /** Never throws: malformed and unknown parts are skipped. */
  parse(connection: OpenConnection, body: string, receivedAt: number): ChannelEvent[];
}

export interface Channel {
  /**
   * Makes one call to the provider. `UpstreamClosed` means that no call was made. Any other thrown error means that the
   * response was lost.
   */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  /** Returns a sentence about the connection, or throws `ProviderError` if the connection does not work. */
  test(connection: OpenConnection, io: HttpIo): Promise<{ detail: string }>;
  syncTemplates?(connection: OpenConnection, io: HttpIo): Promise<TemplateList>;
  /** Submits a template. Throws `ProviderError` for a rejection; any other error means that the response was lost. */
  createTemplate?(connection: OpenConnection, draft: TemplateDraft, io: HttpIo & ReviewIo): Promise<SubmittedTemplate>;
  editTemplate?(
    connection: OpenConnection,
    template: TemplateRef,
    change: TemplateRevision,
    io: HttpIo & ReviewIo,
  ): Promise<{ status: TemplateStatus }>;
  /** Deletes a template in one language; succeeds if it is already deleted. Throws as `createTemplate` does. */
  deleteTemplate?(
    connection: OpenConnection,
    template: { providerId: string; name: string },
    io: HttpIo,
  ): Promise<void>;
  uploadExample?(connection: OpenConnection, file: MediaFile, io: HttpIo): Promise<string>;
  exampleSetting?: string;
  /** Uploads a file before the messages that use it, and stores its id in `io.media`. A thrown error can be retried. */
  uploadMedia?(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<UploadOutcome>;
  /** The number (E.164) of a user id. Null if the provider does not return the number. Throws `ProviderError`. */
  findPhone?(connection: OpenConnection, userId: string, io: HttpIo): Promise<string | null>;
  /** Streams a received file. Throws `ProviderError`, and `MediaGone` if the file has expired. */
  fetchMedia?(
    connection: OpenConnection,
    media: ProviderMedia,
    io: HttpIo & Pick<ChannelIo, "media">,
  ): Promise<FetchedMedia>;
  /** Sends a read receipt for messages up to this one. Throws `ProviderError`. */
  markRead?(connection: OpenConnection, message: ReadReceipt, io: HttpIo & Pick<ChannelIo, "memory">): Promise<void>;
  webhook?: ChannelWebhook;
}

/** The provider no longer serves the file, so retrying is useless. */
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
  /** A signed public URL of the file, valid for one hour. Throws `MediaUnavailable` if Tidings has no public address. */
  link(): Promise<string>;
}

/** A file at a provider, with the provider's id. `isReused` is true for an earlier upload, which can have expired. */
export interface UploadedMedia {
  id: string;
  isReused: boolean;
}

export interface MediaLibrary {
  open(mediaId: string): Promise<MediaFile>;
  /**
   * The provider's id of an earlier upload through this connection. Null if there is no upload, if it has expired, or
   * if its id is `lapsed`.
   */
  findUpload(connectionId: string, file: MediaFile, lapsed?: string | null): Promise<string | null>;
  /**
   * Runs `work` after other uploads of the file through this connection in this isolate, so that `work` finds the
   * stored id. Throws if the others take too long.
   */
  inTurn<T>(connectionId: string, file: MediaFile, work: () => Promise<T>): Promise<T>;
  storeUpload(connectionId: string, file: MediaFile, providerMediaId: string, forMs: number): Promise<void>;
  /** Runs an upload of this name. Concurrent callers share the upload and its failure. */
  shareUpload(name: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia>;
}

/** The file cannot be sent, because it was deleted, its fetch failed, or the provider cannot reach it. */
export class MediaUnavailable extends Error {}

export interface FetchedMedia {
  body: ReadableStream<Uint8Array>;
  /** The type that the provider declares. The bytes take precedence. */
  mimeType: string | null;
  bytes: number | null;
}
