// Parses a multipart form whose last field is a file, without buffering the file.
import { AppError } from "../../../shared/errors.ts";

/** A streaming file. */
export interface SentFile {
  name: string;
  /** As declared by the client; the bytes decide. */
  type: string;
  /** Null if the client sends no length, as forms do. */
  bytes: number | null;
  body: ReadableStream<Uint8Array>;
}

/** The fields before the file, and the file. The file is null if absent, or if empty and unnamed. */
export interface MultipartForm {
  fields: Map<string, string[]>;
  file: SentFile | null;
}

const MAX_HEADERS = 16_384;
const MAX_FIELD = 262_144;

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const LINE_BREAK = encode("\r\n");
const HEADERS_END = encode("\r\n\r\n");

const unreadable = () => new AppError("validation_failed", "Couldn't read the form. Go back and send it again.", []);

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length === 0) return right;
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

/** The index of `wanted` in `bytes`, or -1. */
function findBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length > bytes.length) return -1;
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Reads a stream up to boundary marks. */
class MarkedBytes {
  private buffer: Uint8Array = LINE_BREAK; // The first delimiter has no preceding line break.

  constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  private async more(): Promise<boolean> {
    const { done, value } = await this.reader.read().catch(() => Promise.reject(unreadable()));
    if (done) return false;
    this.buffer = join(this.buffer, value);
    return true;
  }

  /** Reads up to and including a mark. Throws if more than `most` bytes precede it. */
  async takeUntil(mark: Uint8Array, most: number): Promise<Uint8Array> {
    for (;;) {
      const at = findBytes(this.buffer, mark);
      if (at > most || (at === -1 && this.buffer.length > most + mark.length)) throw unreadable();
      if (at !== -1) {
        const before = this.buffer.slice(0, at);
        this.buffer = this.buffer.subarray(at + mark.length);
        return before;
      }
      if (!(await this.more())) throw unreadable();
    }
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.buffer.length < count) if (!(await this.more())) throw unreadable();
    const first = this.buffer.slice(0, count);
    this.buffer = this.buffer.subarray(count);
    return first;
  }

  /** Streams everything before a mark and leaves the rest unread. */
  streamUntil(mark: Uint8Array): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        for (;;) {
          const at = findBytes(this.buffer, mark);
          // The end of the buffer may be the start of the mark.
          const safe = at === -1 ? this.buffer.length - mark.length + 1 : at;
          if (safe > 0) controller.enqueue(this.buffer.slice(0, safe));
          if (at !== -1) {
            controller.close();
            return this.reader.cancel();
          }
          if (safe > 0) {
            this.buffer = this.buffer.subarray(safe);
            return;
          }
          if (!(await this.more())) throw unreadable();
        }
      },
      cancel: (reason) => this.reader.cancel(reason),
    });
  }
}

/** `name` and `filename` of a field. Browsers encode `"` as `%22`. */
function readDisposition(headers: string): { name: string; filename: string | null; type: string } {
  const disposition = /^content-disposition:[^\r\n]*$/im.exec(headers)?.[0] ?? "";
  const name = /[; ]name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw unreadable();
  const filename = /[; ]filename="([^"]*)"/i.exec(disposition)?.[1]?.replaceAll("%22", '"') ?? null;
  return { name, filename, type: /^content-type:\s*([^\r\n;]+)/im.exec(headers)?.[1]?.trim() ?? "" };
}

/** Throws `validation_failed` for an invalid body. */
export async function readMultipart(body: ReadableStream<Uint8Array>, contentType: string): Promise<MultipartForm> {
  const [, quoted, plain] = /boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable();
  const delimiter = encode(`\r\n--${boundary}`);
  const bytes = new MarkedBytes(body.getReader());
  const fields = new Map<string, string[]>();
  await bytes.takeUntil(delimiter, 0);
  for (;;) {
    const next = decode(await bytes.take(2));
    if (next === "--") return { fields, file: null };
    if (next !== "\r\n") throw unreadable();
    const { name, filename, type } = readDisposition(decode(await bytes.takeUntil(HEADERS_END, MAX_HEADERS)));
    if (filename !== null && filename !== "") {
      return { fields, file: { name: filename, type, bytes: null, body: bytes.streamUntil(delimiter) } };
    }
    const value = decode(await bytes.takeUntil(delimiter, MAX_FIELD));
    if (filename === null) fields.set(name, [...(fields.get(name) ?? []), value.replaceAll("\r\n", "\n")]);
  }
}
