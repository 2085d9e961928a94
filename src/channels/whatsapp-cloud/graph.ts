import type { UpstreamAnswer, UpstreamRequest, UpstreamStream } from "../../shared/network/upstream.ts";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import type { OpenConnection, MediaFile } from "../channel.ts";

const API_BASE = "https://graph.facebook.com";
const API_VERSION = "v25.0";

export const apiBaseOf = ({ config }: OpenConnection): string => (config["api_base"] ?? API_BASE).replace(/\/+$/, "");

export function cloudRequestTo(connection: OpenConnection, path: string): UpstreamRequest {
  const { config } = connection;
  return {
    method: "GET",
    url: `${apiBaseOf(connection)}/${config["api_version"] ?? API_VERSION}/${path}`,
    headers: { Authorization: `Bearer ${config["access_token"] ?? ""}` },
  };
}

export function postJson(connection: OpenConnection, path: string, body: unknown): UpstreamRequest {
  const { url, headers } = cloudRequestTo(connection, path);
  return {
    method: "POST",
    url,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

export const idIn = ({ config }: OpenConnection, name: string): string => encodeURIComponent(config[name] ?? "");

const MAX_ANSWER_BYTES = 100_000;
const ANSWER_MS = 5000;

export async function readAnswer({ status, headers, body }: UpstreamStream): Promise<UpstreamAnswer> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const late = AbortSignal.timeout(ANSWER_MS);
  for await (const chunk of body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: late }) ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error("The provider's response is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return { status, headers, json: parseJsonOrNull(text + decoder.decode()) };
}

interface StreamedBody {
  body: ReadableStream<Uint8Array>;
  bytes: number;
  end(): void;
}

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
  void write().catch((cause) => writable.abort(cause).catch(() => null));
  return { body: readable, bytes, end: () => ended.abort() };
}

const NOTHING = new Uint8Array();

export const fileBody = (file: MediaFile): Promise<StreamedBody> => streamed(file, NOTHING, NOTHING);

const quoted = (value: string): string =>
  `"${value.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`;

/** Streams the form instead of using `FormData`, which would load the whole file into memory. */
export async function multipartBody(
  fields: Record<string, string>,
  { file, name, mimeType }: { file: MediaFile; name: string; mimeType: string },
): Promise<StreamedBody & { contentType: string }> {
  // The boundary must not occur in the file. It is made of the file's own hash, which the file cannot contain.
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
