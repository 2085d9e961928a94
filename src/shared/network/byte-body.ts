import type { Once } from "../context.ts";

/** The body of a request as a stream. */
export interface ByteBody {
  stream: ReadableStream<Uint8Array>;
  /** The header as sent. */
  contentType: string;
  /** The announced length; null without one. */
  length: number | null;
  /** Returns the request's Idempotency-Key with a fingerprint that includes these bytes; null without a key. */
  onceFor(sha256: string): Promise<Once | null>;
}
