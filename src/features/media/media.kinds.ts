// The files that messages accept, by Meta's reference of supported media, and the files that browsers may display.

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** The largest file of any kind. */
export const MAX_MEDIA_BYTES = 100 * MEGABYTE;

interface MediaLimit {
  bytes: number;
  /** Null: all except `activeTypes`. */
  mimeTypes: readonly string[] | null;
}

/** The limits of each kind of message. */
export const mediaLimits = {
  image: { bytes: 5 * MEGABYTE, mimeTypes: ["image/jpeg", "image/png"] },
  video: { bytes: 16 * MEGABYTE, mimeTypes: ["video/mp4", "video/3gpp"] },
  audio: { bytes: 16 * MEGABYTE, mimeTypes: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"] },
  document: { bytes: MAX_MEDIA_BYTES, mimeTypes: null },
  sticker: { bytes: 500 * KILOBYTE, mimeTypes: ["image/webp"] },
} as const satisfies Record<string, MediaLimit>;

const formatNames: Record<keyof typeof mediaLimits, string> = {
  image: "JPEG or PNG",
  video: "MP4 or 3GPP",
  audio: "AAC, AMR, MP3, MP4 or OGG (Opus)",
  document: "PDF or another document",
  sticker: "WebP",
};

/** Readable text about the files that this kind of message accepts. */
export function describeFormats(kind: keyof typeof mediaLimits): string {
  const { bytes } = mediaLimits[kind];
  return `${formatNames[kind]}, up to ${bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`}.`;
}

/** Pages, scripts and programs. They are stored under their own type and never sent. */
export const activeTypes: readonly string[] = [
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/javascript",
  "application/x-sh",
  "application/x-msdownload",
  "application/x-executable",
];

/** Why a file is rejected, or not sent. */
export const mediaFaults = ["wrong_type", "too_large", "empty", "wrong_length", "not_fetched", "not_stored"] as const;

export type MediaFault = (typeof mediaFaults)[number];

/** The maximum in bytes, if the file exceeds it. */
export interface MediaRefusal {
  reason: MediaFault;
  limit?: number;
}

/** Why a file cannot be sent as this kind of message. Null if it can. */
export function refusalOfFile(
  kind: keyof typeof mediaLimits,
  { mimeType, bytes }: { mimeType: string; bytes: number },
): MediaRefusal | null {
  const { bytes: limit, mimeTypes }: MediaLimit = mediaLimits[kind];
  const isOfKind = mimeTypes === null ? !activeTypes.includes(mimeType) : mimeTypes.includes(mimeType);
  if (!isOfKind) return { reason: "wrong_type" };
  return bytes > limit ? { reason: "too_large", limit } : null;
}

const inlineTypes: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "video/mp4",
  "video/3gpp",
  "audio/mp4",
  "audio/3gpp",
  "audio/mpeg",
  "audio/aac",
  "audio/amr",
  "audio/ogg",
];

/** True if a browser may display the file inline. These types cannot run code. */
export const mayShowInline = (mimeType: string): boolean => inlineTypes.includes(mimeType);
