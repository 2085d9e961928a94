import type { StreamedResponse } from "../../http/response/streamed-response.ts";
import { mayShowInline } from "./media.kinds.ts";
import type { ServedFile } from "./open/read-media.ts";

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Old clients read the ASCII name in `filename`. All others read the full name in `filename*`. */
function dispositionOf({ mimeType, filename, mediaId }: ServedFile): string {
  const kind = mayShowInline(mimeType) ? "inline" : "attachment";
  const name = filename ?? mediaId;
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;
}

export function presentFile(content: ServedFile): StreamedResponse {
  const { mimeType, etag, size, range, isUnchanged, body } = content;
  const common = {
    ETag: etag,
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
  };
  if (isUnchanged) return { status: 304, headers: common, body: null };
  const length = range?.length ?? size;
  const headers = {
    ...common,
    "Content-Type": mimeType,
    "Content-Disposition": dispositionOf(content),
    "Content-Length": String(length),
    "Accept-Ranges": "bytes",
  };
  if (range === null) return { status: 200, headers, body };
  const last = range.offset + range.length - 1;
  return { status: 206, headers: { ...headers, "Content-Range": `bytes ${range.offset}-${last}/${size}` }, body };
}
