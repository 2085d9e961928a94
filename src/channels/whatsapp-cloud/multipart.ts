// Files as request bodies, streamed with a known length.
import type { MediaFile } from "../media.ts";

export interface StreamedBody {
  body: ReadableStream<Uint8Array>;
  bytes: number;
  /** Ends reading of the file if the body was not read to its end. */
  end(): void;
}

/** The file between two texts. */
async function streamed(file: MediaFile, head: Uint8Array, tail: Uint8Array): Promise<StreamedBody> {
  const content = await file.read();
  const ended = new AbortController();
  const bytes = head.byteLength + file.bytes + tail.byteLength;
  const { readable, writable } = new FixedLengthStream(bytes);
  const write = async () => {
    const opening = writable.getWriter();
    await opening.write(head);
    opening.releaseLock();
    await content.pipeTo(writable, { preventClose: true, signal: ended.signal });
    const closing = writable.getWriter();
    await closing.write(tail);
    await closing.close();
  };
  // An error ends the body early, which fails the call.
  void write().catch((cause) => writable.abort(cause).catch(() => null));
  return { body: readable, bytes, end: () => ended.abort() };
}

const NOTHING = new Uint8Array();

export const fileBody = (file: MediaFile): Promise<StreamedBody> => streamed(file, NOTHING, NOTHING);

/** A value for a part's header. */
const quoted = (value: string): string =>
  `"${value.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`;

/** A form with fields and one file. `FormData` would hold the file in memory. */
export async function multipartBody(
  fields: Record<string, string>,
  { file, name, mimeType }: { file: MediaFile; name: string; mimeType: string },
): Promise<StreamedBody & { contentType: string }> {
  // The boundary contains the file's hash, which no file contains.
  const boundary = `tidings-${file.sha256}`;
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename=${quoted(name)}\r\n`;
  const encoder = new TextEncoder();
  const head = encoder.encode(`${parts.join("")}${opening}Content-Type: ${mimeType}\r\n\r\n`);
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  return { ...(await streamed(file, head, tail)), contentType: `multipart/form-data; boundary=${boundary}` };
}
