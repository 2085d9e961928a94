import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import worker from "../../src/index.ts";
import type { Answer, Customer, World } from "./world.ts";

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

export function fileOf(head: string, size = 1000): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(size, head.length));
  bytes.set(ascii(head));
  return bytes;
}

export const heads = {
  "image/jpeg": "\xff\xd8\xff\xe0\0\x10JFIF",
  "image/png": "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  "image/gif": "GIF89a",
  "image/webp": "RIFF\0\0\0\0WEBPVP8 ",
  "video/mp4": "\0\0\0\x18ftypmp42\0\0\0\0",
  "video/3gpp": "\0\0\0\x18ftyp3gp5\0\0\0\0",
  "audio/mp4": "\0\0\0\x18ftypM4A \0\0\0\0",
  "audio/mpeg": "ID3\x03\0\0\0\0\0\0",
  "audio/aac": "\xff\xf1\x50\x80",
  "audio/amr": "#!AMR\n",
  "audio/ogg": "OggS\0\x02\0\0",
  "application/pdf": "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
  "application/zip": "PK\x03\x04",
  "application/msword": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
};

export const png = (size = 1000): Uint8Array<ArrayBuffer> => fileOf(heads["image/png"], size);

export async function sha256Of(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

export const uploadFile = (
  customer: Customer,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  type: string,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  customer.call("POST", `/media${query}`, undefined, {
    raw: bytes,
    headers: {
      ...(bytes instanceof Uint8Array && { "Content-Length": String(bytes.length) }),
      "Content-Type": type,
      ...headers,
    },
  });

export async function storeFile(customer: Customer, bytes = png(), type = "image/png", query = "") {
  return (await uploadFile(customer, bytes, type, { query })).body.media;
}

export async function readBytes(world: World, path: string, headers: Record<string, string> = {}, method = "GET") {
  const ctx = createExecutionContext();
  const answer = await worker.fetch(new Request(`http://tidings.test${path}`, { method, headers }), world.env, ctx);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  await waitOnExecutionContext(ctx);
  return { status: answer.status, headers: answer.headers, bytes };
}

export const readFile = (customer: Customer, id: string, headers: Record<string, string> = {}, method = "GET") =>
  readBytes(
    customer.world,
    `/api/v1/media/${id}/content`,
    { Authorization: `Bearer ${customer.key}`, ...headers },
    method,
  );

export async function storedKeys(customer: Customer): Promise<string[]> {
  const { objects } = await customer.world.env.MEDIA.list({ prefix: `media/${customer.workspaceId}/` });
  return objects.map(({ key }) => key);
}
