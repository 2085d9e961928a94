import type { Once } from "./context.ts";

/** A request's body as it streams in. */
export interface ByteBody {
  stream: ReadableStream<Uint8Array>;
  /** As sent. */
  contentType: string;
  /** As announced; null where it was not. */
  length: number | null;
  /** The request's Idempotency-Key with the fingerprint of a request that has these bytes; null where it has none. */
  onceFor(sha256: string): Promise<Once | null>;
}
