import { activeTypes } from "./media.kinds.ts";

export const HEAD_BYTES = 4096;

const ascii = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));

const startsWith = (head: Uint8Array, ...bytes: number[]): boolean =>
  head.length >= bytes.length && bytes.every((byte, index) => head[index] === byte);

const OFFICE = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
];
const ZIPPED = [
  "application/zip",
  ...OFFICE,
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/epub+zip",
  "application/vnd.android.package-archive",
  "application/java-archive",
  "application/vnd.apple.pkpass",
];
const OLD_OFFICE = [
  "application/x-cfb",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  "application/vnd.ms-outlook",
];

/** Many audio, video and image formats share the `ftyp` container. Its brand limits the possible types. */
function typesOfBrand(brand: string): string[] {
  if (brand.startsWith("3g")) return ["video/3gpp", "audio/3gpp", "video/3gpp2", "video/mp4", "audio/mp4"];
  if (/^M4[AB]/.test(brand)) return ["audio/mp4", "video/mp4"];
  if (/^(?:heic|heix|mif1|msf1|heim|hevc)/.test(brand)) return ["image/heic", "image/heif"];
  if (/^avi[fs]/.test(brand)) return ["image/avif"];
  if (brand.startsWith("qt")) return ["video/quicktime", "video/mp4"];
  return ["video/mp4", "audio/mp4", "video/3gpp", "video/quicktime"];
}

function typesOfRiff(kind: string): string[] {
  if (kind === "WEBP") return ["image/webp"];
  if (kind === "WAVE") return ["audio/wav"];
  return kind === "AVI " ? ["video/x-msvideo"] : [];
}

/**
 * An MPEG audio frame begins with eleven set bits, and layer 0 means AAC. The UTF-16 byte order mark (`ff fe`) also
 * begins with these bits, so it is excluded.
 */
function typesOfFrame(head: Uint8Array): string[] {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return [];
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf6) === 0xf0 ? ["audio/aac"] : [];
  const isFrame = ((second >> 3) & 3) !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
  return isFrame && second !== 0xfe && second !== 0xff ? ["audio/mpeg"] : [];
}

/**
 * The functions are tried in this order, and the first that returns types decides. Its first type is the default for
 * files without a declared type.
 */
const signatures: ((head: Uint8Array) => string[])[] = [
  (head) => (startsWith(head, 0xff, 0xd8, 0xff) ? ["image/jpeg"] : []),
  (head) => (startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ? ["image/png"] : []),
  (head) => (/^GIF8[79]a/.test(ascii(head, 0, 6)) ? ["image/gif"] : []),
  (head) => (ascii(head, 0, 4) === "RIFF" ? typesOfRiff(ascii(head, 8, 12)) : []),
  (head) => (ascii(head, 4, 8) === "ftyp" ? typesOfBrand(ascii(head, 8, 12)) : []),
  (head) => (ascii(head, 0, 4) === "OggS" ? ["audio/ogg", "video/ogg", "application/ogg"] : []),
  (head) => (/^#!AMR(?:-WB)?\n/.test(ascii(head, 0, 9)) ? ["audio/amr"] : []),
  (head) => (ascii(head, 0, 3) === "ID3" ? ["audio/mpeg", "audio/aac"] : []),
  (head) => (ascii(head, 0, 4) === "fLaC" ? ["audio/flac"] : []),
  (head) => (startsWith(head, 0x1a, 0x45, 0xdf, 0xa3) ? ["video/webm", "audio/webm", "video/x-matroska"] : []),
  (head) => (startsWith(head, 0, 0, 1, 0xba) || startsWith(head, 0, 0, 1, 0xb3) ? ["video/mpeg"] : []),
  (head) => (ascii(head, 0, 5) === "%PDF-" ? ["application/pdf"] : []),
  (head) => (startsWith(head, 0x50, 0x4b, 3, 4) || startsWith(head, 0x50, 0x4b, 5, 6) ? ZIPPED : []),
  (head) => (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1) ? OLD_OFFICE : []),
  (head) => (ascii(head, 0, 5) === "{\\rtf" ? ["application/rtf", "application/msword"] : []),
  (head) => (startsWith(head, 0x1f, 0x8b) ? ["application/gzip"] : []),
  (head) => (startsWith(head, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) ? ["application/x-7z-compressed"] : []),
  (head) => (ascii(head, 0, 6) === "Rar!\x1a\x07" ? ["application/vnd.rar"] : []),
  (head) => (/^(?:II\*\0|MM\0\*)/.test(ascii(head, 0, 4)) ? ["image/tiff"] : []),
  (head) => (startsWith(head, 0x7f, 0x45, 0x4c, 0x46) ? ["application/x-executable"] : []),
  typesOfFrame,
];

/**
 * Types of text files. The patterns end a comment at its first `-->`, because otherwise many comments would cause
 * exponential backtracking.
 */
const texts: [RegExp, string[]][] = [
  [/^#!/, ["application/x-sh"]],
  [/^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|<!doctype svg[^>]*>)*<svg[\s>]/i, ["image/svg+xml"]],
  [
    /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->)*<(?:!doctype html|html|head|body|script|iframe|title|meta)[\s>/]/i,
    ["text/html", "application/xhtml+xml"],
  ],
  [/^\s*<\?xml[\s]/i, ["text/xml"]],
];

/**
 * UTF-16 text begins with a byte order mark. All other encodings extend ASCII, and their text contains no control
 * characters except whitespace and escape.
 */
function isText(head: Uint8Array): boolean {
  if (startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff)) return true;
  return head.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13) || byte === 27);
}

/**
 * Returns the types that these bytes can have, with the most likely first. The list is empty if the bytes match no
 * signature.
 */
function typesOfBytes(head: Uint8Array): readonly string[] {
  if (isText(head)) {
    const text = new TextDecoder().decode(head);
    const found = texts.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  } else if (startsWith(head, 0x4d, 0x5a)) return ["application/x-msdownload"];
  for (const typesOf of signatures) {
    const types = typesOf(head);
    if (types.length > 0) return types;
  }
  return [];
}

/** True if files of this type always begin with a known signature. A file without it has a different type. */
const hasSignature = (mimeType: string): boolean => known.has(mimeType);

const known = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/heic",
  "image/heif",
  "image/avif",
  "image/tiff",
  "image/svg+xml",
  "audio/wav",
  "audio/mp4",
  "audio/3gpp",
  "audio/ogg",
  "audio/amr",
  "audio/mpeg",
  "audio/aac",
  "audio/flac",
  "audio/webm",
  "video/mp4",
  "video/3gpp",
  "video/3gpp2",
  "video/quicktime",
  "video/ogg",
  "video/webm",
  "video/x-matroska",
  "video/x-msvideo",
  "video/mpeg",
  "application/ogg",
  "application/pdf",
  "application/gzip",
  "application/x-7z-compressed",
  "application/vnd.rar",
  ...ZIPPED,
  ...OLD_OFFICE,
]);

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

const GENERIC = new Set([
  "application/octet-stream",
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
]);
const UNKNOWN = "application/octet-stream";

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

export function mimeTypeOf(header: string | null | undefined): string | null {
  const type = (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return MIME_TYPE.test(type) ? (aliases.get(type) ?? type) : null;
}

const isTextType = (type: string): boolean =>
  type.startsWith("text/") || /[/+](?:json|xml|yaml|csv)$/.test(type) || type === "application/rtf";

/**
 * Returns a type that the declared type and the bytes both allow, or null. For example, it returns null for a binary
 * file declared as `text/plain` and for an HTML page declared as `text/csv`.
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
 * Servers often declare a wrong type, so the type of the bytes is used if they disagree. Returns null if the bytes are
 * then a page, script or program, or have no known type.
 */
export function fetchedType(declared: string | null, head: Uint8Array): string | null {
  const agreed = agreedType(declared ?? UNKNOWN, head);
  if (agreed !== null) return agreed;
  const [likeliest = null] = typesOfBytes(head);
  return likeliest === null || isActive(likeliest) ? null : likeliest;
}

export const inboundType = (declared: string | null, head: Uint8Array): string =>
  agreedType(declared ?? UNKNOWN, head) ?? typesOfBytes(head)[0] ?? UNKNOWN;
