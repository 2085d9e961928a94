// The type of a file, from its declared type and its first bytes.
import { activeTypes } from "./media.kinds.ts";
import { hasSignature, isText, typesOfBytes } from "./media.signatures.ts";

/** Other names of types, as senders use them. */
const aliases = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-mp3", "audio/mpeg"],
  ["audio/m4a", "audio/mp4"],
  ["audio/x-m4a", "audio/mp4"],
  ["audio/opus", "audio/ogg"],
  ["audio/aacp", "audio/aac"],
  ["audio/x-aac", "audio/aac"],
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["audio/amr-wb", "audio/amr"],
  ["video/3gp", "video/3gpp"],
  ["application/x-pdf", "application/pdf"],
  ["application/x-zip-compressed", "application/zip"],
  ["application/x-gzip", "application/gzip"],
  ["application/x-rar-compressed", "application/vnd.rar"],
  ["text/rtf", "application/rtf"],
  ["application/xml", "text/xml"],
  ["application/javascript", "text/javascript"],
  ["application/x-javascript", "text/javascript"],
]);

/** Types that carry no information. */
const GENERIC = new Set([
  "application/octet-stream",
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
]);
const UNKNOWN = "application/octet-stream";

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** A `Content-Type` under its usual name and without parameters. Null if malformed. */
export function mimeTypeOf(header: string | null | undefined): string | null {
  const type = (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return MIME_TYPE.test(type) ? (aliases.get(type) ?? type) : null;
}

/** Text formats. */
const isTextType = (type: string): boolean =>
  type.startsWith("text/") || /[/+](?:json|xml|yaml|csv)$/.test(type) || type === "application/rtf";

/**
 * The type under which to store a file, or null if the bytes contradict the declared type. Without a known signature the type must
 * be plausible: text formats are not binary, and pages, scripts and programs keep their type.
 */
export function agreedType(declared: string, head: Uint8Array): string | null {
  const found = typesOfBytes(head);
  const [likeliest = null] = found;
  if (GENERIC.has(declared)) return likeliest ?? UNKNOWN;
  if (found.includes(declared)) return declared;
  if (hasSignature(declared) || (isText(head) && /^(?:image|audio|video)\//.test(declared))) return null;
  if (isTextType(declared))
    return isText(head) && (declared === "text/plain" || !isActive(likeliest)) ? declared : null;
  return likeliest === null || (isText(head) && !isActive(likeliest)) ? declared : null;
}

const isActive = (type: string | null): boolean => type !== null && activeTypes.includes(type);

/**
 * The type of a file from another server. The bytes decide, because servers often declare a wrong type or none; null for pages,
 * scripts and programs under another type.
 */
export function fetchedType(declared: string | null, head: Uint8Array): string | null {
  const agreed = agreedType(declared ?? UNKNOWN, head);
  if (agreed !== null) return agreed;
  const [likeliest = null] = typesOfBytes(head);
  return likeliest === null || isActive(likeliest) ? null : likeliest;
}

/** The type of an inbound file. All inbound files are stored. */
export const inboundType = (declared: string | null, head: Uint8Array): string =>
  agreedType(declared ?? UNKNOWN, head) ?? typesOfBytes(head)[0] ?? UNKNOWN;
