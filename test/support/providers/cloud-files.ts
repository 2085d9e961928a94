import { graphError } from "./graph-error.ts";
import { json, type Reply } from "./stand-in.ts";

const MEGABYTE = 1024 * 1024;

const mediaTypes = new Map(
  Object.entries({
    "image/jpeg": 5 * MEGABYTE,
    "image/png": 5 * MEGABYTE,
    "image/webp": 512_000,
    "audio/aac": 16 * MEGABYTE,
    "audio/mp4": 16 * MEGABYTE,
    "audio/mpeg": 16 * MEGABYTE,
    "audio/amr": 16 * MEGABYTE,
    "audio/ogg; codecs=opus": 16 * MEGABYTE,
    "video/mp4": 16 * MEGABYTE,
    "video/3gpp": 16 * MEGABYTE,
    "text/plain": 100 * MEGABYTE,
    "application/pdf": 100 * MEGABYTE,
    "application/vnd.ms-powerpoint": 100 * MEGABYTE,
    "application/msword": 100 * MEGABYTE,
    "application/vnd.ms-excel": 100 * MEGABYTE,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": 100 * MEGABYTE,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": 100 * MEGABYTE,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": 100 * MEGABYTE,
  }),
);

export interface CloudFile {
  mimeType: string;
  bytes: Uint8Array<ArrayBuffer>;
  filename: string | null;
}

const notThere = (id: string) =>
  graphError(100, `Unsupported get request. Object with ID '${id}' does not exist`, 400, undefined, {
    error_subcode: 33,
  });

export class CloudFiles {
  readonly uploads = new Map<string, CloudFile>();
  readonly received = new Map<string, CloudFile>();
  /** The responses to the next uploads. An upload that receives one of them is not stored. */
  readonly refusals: (() => Reply)[] = [];
  /** A test can replace these two functions to change what Meta declares about a file and how it serves the file. */
  announced: (said: Record<string, unknown>) => object = (said) => said;
  served: (file: CloudFile) => Response = ({ bytes, mimeType }) =>
    new Response(bytes, { headers: { "Content-Type": mimeType, "Content-Length": String(bytes.byteLength) } });
  private count = 1_037_543_291_543_000;

  receive(bytes: Uint8Array<ArrayBuffer>, mimeType: string): string {
    const id = String(++this.count);
    this.received.set(id, { bytes, mimeType, filename: null });
    return id;
  }

  /** `POST /{phone_number_id}/media`, a form with three fields. */
  async upload(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<Reply> {
    const refusal = this.refusals.shift()?.();
    if (refusal !== undefined) return refusal;
    const contentType = request.headers.get("Content-Type") ?? "";
    if (!contentType.startsWith("multipart/form-data; boundary=")) return graphError(100, "(file) is required");
    if (request.headers.get("Content-Length") !== String(bytes.byteLength))
      return graphError(100, "The length was not announced");
    const form = await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
    const names = [...form.keys()].toSorted().join();
    const [product, type, file] = ["messaging_product", "type", "file"].map((name) => form.get(name));
    if (names !== "file,messaging_product,type" || product !== "whatsapp" || !(file instanceof File))
      return graphError(100, `Unexpected form of ${names}`);
    const limit = mediaTypes.get(file.type.replace(/;\s*/, "; "));
    if (limit === undefined || type !== file.type)
      return graphError(
        100,
        `Param file must be a file with one of the following types: ${[...mediaTypes.keys()].join()}`,
      );
    if (file.size === 0 || file.size > limit) return graphError(131053, "Media upload error", 400, "File size.");
    const id = String(++this.count);
    const content = new Uint8Array(await file.arrayBuffer());
    this.uploads.set(id, { mimeType: file.type, bytes: content, filename: file.name });
    return json({ id });
  }

  /** `GET /{media_id}?phone_number_id=` returns the file's address. */
  find(id: string, origin: string): Reply {
    const file = this.received.get(id);
    if (file === undefined) return notThere(id);
    const url = `${origin}/whatsapp_business/attachments/?mid=${id}&ext=1720570800&hash=ATu`;
    const said = { url, mime_type: file.mimeType, sha256: "0", file_size: file.bytes.byteLength, id };
    return json({ messaging_product: "whatsapp", ...this.announced(said) });
  }

  serve(id: string): Response {
    const file = this.received.get(id);
    return file === undefined ? new Response("Not found", { status: 404 }) : this.served(file);
  }

  unknownIn(content: unknown, path = ""): string | null {
    if (typeof content !== "object" || content === null) return null;
    for (const [name, value] of Object.entries(content)) {
      const at = path === "" ? name : `${path}['${name}']`;
      const isFile =
        name === "id" && typeof value === "string" && /\b(?:image|video|audio|document|sticker)'?\]?$/.test(path);
      if (isFile && !this.uploads.has(value)) return at;
      const inside = this.unknownIn(value, at);
      if (inside !== null) return inside;
    }
    return null;
  }
}
