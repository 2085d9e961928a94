import type { BaseCtx } from "../../../shared/context.ts";
import { MediaRefused } from "../media.kinds.ts";
import { HEAD_BYTES } from "../media.types.ts";

/**
 * We read a file in chunks of this size to save memory. A file of unknown length also needs a buffer of `PART_BYTES`.
 */
const CHUNK_BYTES = 65_536;
/** R2 requires this size for all parts except the last. */
const PART_BYTES = 5 * 1024 * 1024;

export interface ByteSource {
  body: ReadableStream<Uint8Array>;
  length: number | null;
  maxBytes: number;
  idleMs: number;
  wholeMs?: number;
  identify(head: Uint8Array): string;
  /**
   * If we stop reading an upload, the client might not read our response. We therefore continue to read a rejected file
   * until we have read this many bytes in total.
   */
  readOnBytes?: number;
  sha256?: string | null;
}

type StorageCtx = Pick<BaseCtx, "bucket" | "now">;

export interface StoredBytes {
  bytes: number;
  sha256: string;
  mimeType: string;
}

interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

type Bucket = BaseCtx["bucket"];

function sinkOfLength(bucket: Bucket, key: string, length: number, options: R2PutOptions): Sink {
  const { readable, writable } = new FixedLengthStream(length);
  const writer = writable.getWriter();
  const put = bucket.put(key, readable, options);
  // If the put fails, it stops reading the stream. Without this abort, a pending write would never end.
  put.catch((error: unknown) => writer.abort(error).catch(() => undefined));
  let left = length;
  return {
    write(chunk) {
      left -= chunk.length;
      return writer.write(chunk);
    },
    async close() {
      await writer.close();
      await put;
    },
    async abort() {
      // If all bytes are written, we let the put finish and then delete the file. Otherwise the abort makes the put
      // fail.
      const ending = left === 0 ? writer.close() : writer.abort(new Error("The file is discarded."));
      await ending.catch(() => undefined);
      await put.then(() => bucket.delete(key)).catch(() => undefined);
    },
  };
}

function sinkInParts(bucket: Bucket, key: string, options: R2MultipartOptions): Sink {
  const buffer = new Uint8Array(PART_BYTES);
  let filled = 0;
  let upload: R2MultipartUpload | null = null;
  const parts: R2UploadedPart[] = [];
  const flush = async () => {
    upload ??= await bucket.createMultipartUpload(key, options);
    parts.push(await upload.uploadPart(parts.length + 1, buffer.subarray(0, filled)));
    filled = 0;
  };
  return {
    async write(chunk) {
      for (let from = 0; from < chunk.length;) {
        if (filled === PART_BYTES) await flush();
        const piece = chunk.subarray(from, from + PART_BYTES - filled);
        buffer.set(piece, filled);
        filled += piece.length;
        from += piece.length;
      }
    },
    async close() {
      if (upload === null) {
        await bucket.put(key, buffer.subarray(0, filled), options);
        return;
      }
      await flush();
      await upload.complete(parts);
    },
    abort: async () => upload?.abort(),
  };
}

interface ByteReader {
  /** The bytes are valid until the next read. Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(reason: unknown): Promise<void>;
}

/** Uses the same buffer for all reads. A read transfers it to the stream, which returns it with the bytes. */
function readerIntoBuffer(reader: ReadableStreamBYOBReader): ByteReader {
  let buffer: ArrayBufferLike | null = new ArrayBuffer(CHUNK_BYTES);
  return {
    async read() {
      if (buffer === null) return null;
      const { done, value } = await reader.read(new Uint8Array(buffer, 0, CHUNK_BYTES));
      buffer = done ? null : value.buffer;
      return done ? null : value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** The platform's streams support BYOB readers, but most streams created in JavaScript do not. */
function readerOf(body: ReadableStream<Uint8Array>): ByteReader {
  try {
    return readerIntoBuffer(body.getReader({ mode: "byob" }));
  } catch {
    const reader = body.getReader();
    return {
      async read() {
        const { done, value } = await reader.read();
        return done ? null : value;
      },
      cancel: (reason) => reader.cancel(reason),
    };
  }
}

const broken = (message: string) => new MediaRefused({ reason: "wrong_length" }, message, Infinity);

/**
 * If the checksum is wrong this many times, the cause is not a transmission error, so we do not try the download again.
 */
const MAX_TRIES_OF_OTHERS = 5;

const otherBytes = () =>
  new MediaRefused(
    { reason: "not_fetched" },
    "The file's bytes differ from the checksum that the provider announced.",
    MAX_TRIES_OF_OTHERS,
  );

async function readInTime(
  reader: ByteReader,
  { idleMs, end, now }: { idleMs: number; end: number; now: () => number },
): Promise<Uint8Array | null> {
  const late = Promise.withResolvers<never>();
  const ms = Math.max(0, Math.min(idleMs, end - now()));
  const timer = setTimeout(() => late.reject(broken("The file arrived too slowly.")), ms);
  try {
    return await Promise.race([reader.read(), late.promise]);
  } catch (error) {
    if (error instanceof MediaRefused) throw error;
    throw broken("The connection closed before the file was complete.");
  } finally {
    clearTimeout(timer);
  }
}

const READ_ON_IDLE_MS = 2000;

async function readOn(reader: ByteReader, bytes: number, now: () => number): Promise<void> {
  const times = { idleMs: READ_ON_IDLE_MS, end: Infinity, now };
  try {
    for (let left = bytes; left > 0;) {
      const chunk = await readInTime(reader, times);
      if (chunk === null) return;
      left -= chunk.length;
    }
  } catch {}
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

/** If this throws, the bucket has no part of the file. Throws `MediaRefused` for an invalid file. */
export async function storeBytes({ bucket, now }: StorageCtx, key: string, source: ByteSource): Promise<StoredBytes> {
  const { length, maxBytes, identify } = source;
  const reader = readerOf(source.body);
  const digest = new crypto.DigestStream("SHA-256");
  digest.digest.catch(() => undefined);
  const hash = digest.getWriter();
  const times = { idleMs: source.idleMs, end: now() + (source.wholeMs ?? Infinity), now };
  let sink: Sink | null = null;
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new MediaRefused({ reason: "too_large", limit: maxBytes });
    if (length !== null && bytes > length) throw broken("The file's length is not the announced length.");
  };
  try {
    if (length !== null && length > maxBytes) throw new MediaRefused({ reason: "too_large", limit: maxBytes });
    let head: Uint8Array = new Uint8Array();
    for (let chunk; head.length < HEAD_BYTES && (chunk = await readInTime(reader, times)) !== null;) {
      count(chunk);
      head = joined(head, chunk);
    }
    if (head.length === 0) throw new MediaRefused({ reason: "empty" });
    const mimeType = identify(head.subarray(0, HEAD_BYTES));
    const options = { httpMetadata: { contentType: mimeType } };
    sink = length === null ? sinkInParts(bucket, key, options) : sinkOfLength(bucket, key, length, options);
    for (let chunk: Uint8Array | null = head; chunk !== null; chunk = await readInTime(reader, times)) {
      if (chunk !== head) count(chunk);
      await hash.write(chunk);
      await sink.write(chunk);
    }
    if (length !== null && bytes < length) throw broken("The file's length is not the announced length.");
    await hash.close();
    const sha256 = new Uint8Array(await digest.digest).toHex();
    if ((source.sha256 ?? sha256) !== sha256) throw otherBytes();
    await sink.close();
    return { bytes, sha256, mimeType };
  } catch (error) {
    await Promise.allSettled([hash.abort(error), sink?.abort()]);
    if (bytes > 0) await readOn(reader, (source.readOnBytes ?? 0) - bytes, now);
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}
