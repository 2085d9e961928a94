// Channels use neither the database nor the HTTP framework. Callers pass everything that a channel needs.
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

/**
 * A connection with decrypted secrets. When a webhook arrives, Tidings decrypts only the secrets that verify its
 * signature, so `config` does not contain the other secrets then.
 */
export interface OpenConnection {
  id: string;
  config: Record<string, string>;
}

export interface OutboundMessage {
  /**
   * The message's id in Tidings. Tidings sends this id to the provider together with the message. Some providers return
   * it in their status reports.
   */
  id: string;
  /** An E.164 number, or the provider's user id if the person has no number. */
  to: string;
  wroteFrom?: string;
  body: string;
  content?: OutboundContent;
  replyTo?: string;
  attempt: number;
  template?: OutboundTemplate;
}

/** A retry delays either all messages of the connection or only the messages to the same person. */
export type RetryScope = "connection" | "recipient";

export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /**
       * Some providers' status reports contain neither our id nor `providerMessageId` in the same form. Tidings then
       * finds the message by this key.
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

/**
 * An upload is never `lost`. If the response to it gets lost, Tidings uploads the file again, because a second copy is
 * harmless.
 */
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

/**
 * `memory` is stored in KV, which needs time to copy a new value to other locations. A channel must therefore expect
 * that a value that it stored is missing.
 */
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

export interface ChannelWebhook {
  secrets: readonly string[];
  events: readonly string[];
  /**
   * During setup, some providers send a request to confirm the webhook's URL. Returns the body of the response to that
   * request. Returns null if `query` does not belong to a valid request of this kind.
   */
  challenge(connection: OpenConnection, query: Record<string, string>): Promise<string | null>;
  verify(connection: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean>;
  /** Never throws. Skips malformed and unknown parts of the body. */
  parse(connection: OpenConnection, body: string, receivedAt: number): ChannelEvent[];
}

export interface Channel {
  /**
   * Makes one call to the provider. `UpstreamClosed` means that the call was not made. After any other
   * error, the provider may have sent the message.
   */
  send(connection: OpenConnection, message: OutboundMessage, io: ChannelIo): Promise<SendOutcome>;
  test(connection: OpenConnection, io: HttpIo): Promise<{ detail: string }>;
  syncTemplates?(connection: OpenConnection, io: HttpIo): Promise<TemplateList>;
  /**
   * Throws `ProviderError` if the provider rejects the template. After any other error, the provider may have
   * stored it.
   */
  createTemplate?(connection: OpenConnection, draft: TemplateDraft, io: HttpIo & ReviewIo): Promise<SubmittedTemplate>;
  editTemplate?(
    connection: OpenConnection,
    template: TemplateRef,
    change: TemplateRevision,
    io: HttpIo & ReviewIo,
  ): Promise<{ status: TemplateStatus }>;
  /** Deletes the template in one language. Also succeeds if the provider no longer has the template. */
  deleteTemplate?(
    connection: OpenConnection,
    template: { providerId: string; name: string },
    io: HttpIo,
  ): Promise<void>;
  uploadExample?(connection: OpenConnection, file: MediaFile, io: HttpIo): Promise<string>;
  exampleSetting?: string;
  uploadMedia?(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<UploadOutcome>;
  findPhone?(connection: OpenConnection, userId: string, io: HttpIo): Promise<string | null>;
  fetchMedia?(
    connection: OpenConnection,
    media: ProviderMedia,
    io: HttpIo & Pick<ChannelIo, "media">,
  ): Promise<FetchedMedia>;
  markRead?(connection: OpenConnection, message: ReadReceipt, io: HttpIo & Pick<ChannelIo, "memory">): Promise<void>;
  webhook?: ChannelWebhook;
}

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
   * Returns a signed public URL that is valid for one hour. Throws `MediaUnavailable` if the operator has not
   * configured a public URL.
   */
  link(): Promise<string>;
}

/** `isReused` is true if the file was uploaded for an earlier message. The provider may have deleted it since then. */
export interface UploadedMedia {
  id: string;
  isReused: boolean;
}

export interface MediaLibrary {
  open(mediaId: string): Promise<MediaFile>;
  /**
   * If the provider has just rejected an id that this method returned, pass that id as `lapsed`. The method then does
   * not return it again.
   */
  findUpload(connectionId: string, file: MediaFile, lapsed?: string | null): Promise<string | null>;
  /**
   * Waits until no other message uploads this file through this connection in the same isolate. Then runs `work`, which
   * can reuse the other message's upload. Throws if the wait takes too long.
   */
  inTurn<T>(connectionId: string, file: MediaFile, work: () => Promise<T>): Promise<T>;
  storeUpload(connectionId: string, file: MediaFile, providerMediaId: string, forMs: number): Promise<void>;
  /**
   * Runs one upload for all callers that upload the same file at the same time, and returns its result to
   * all of them.
   */
  shareUpload(name: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia>;
}

/** Thrown if the file was deleted, could not be fetched, or cannot be reached by the provider. */
export class MediaUnavailable extends Error {}

export interface FetchedMedia {
  body: ReadableStream<Uint8Array>;
  mimeType: string | null;
  bytes: number | null;
}
