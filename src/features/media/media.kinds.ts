// The limits are from Meta's reference of supported media.
import { AppError } from "../../shared/errors.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

export const MAX_MEDIA_BYTES = 100 * MEGABYTE;

interface MediaLimit {
  bytes: number;
  mimeTypes: readonly string[] | null;
}

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

export function describeFormats(kind: keyof typeof mediaLimits): string {
  const { bytes } = mediaLimits[kind];
  return `${formatNames[kind]}, up to ${bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`}.`;
}

/** Files of these types can run code on the recipient's device, so we never send them. */
export const activeTypes: readonly string[] = [
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/javascript",
  "application/x-sh",
  "application/x-msdownload",
  "application/x-executable",
];

const mediaFaults = ["wrong_type", "too_large", "empty", "wrong_length", "not_fetched", "not_stored"] as const;

type MediaFault = (typeof mediaFaults)[number];

export interface MediaRefusal {
  reason: MediaFault;
  limit?: number;
}

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

export const mayShowInline = (mimeType: string): boolean => inlineTypes.includes(mimeType);

const messages: Record<MediaFault, string> = {
  wrong_type: "The file's bytes do not match its type.",
  too_large: "The file is too large.",
  empty: "The file is empty.",
  wrong_length: "The file's length is not the announced length.",
  not_fetched: "The file could not be fetched.",
  not_stored: "The file is not stored.",
};

export class MediaRefused extends Error {
  constructor(
    readonly refusal: MediaRefusal,
    message = messages[refusal.reason],
    /** The number of download attempts after which this error is final. */
    readonly maxTries = 1,
  ) {
    super(message);
  }
}

export const mediaError = ({ refusal, message }: MediaRefused): AppError =>
  new AppError("media_invalid", message, refusal);

interface CheckedFile {
  mime_type: string | null;
  bytes: number | null;
  status: string;
}

export function unfitFileError(kind: keyof typeof mediaLimits | undefined, file: CheckedFile | null): AppError {
  const refusal: MediaRefusal | null =
    kind === undefined || file?.status !== "stored"
      ? null
      : refusalOfFile(kind, { mimeType: file.mime_type ?? "", bytes: file.bytes ?? 0 });
  if (kind === undefined || refusal === null) {
    const message = "This file is not stored. GET /media/:id returns the reason.";
    return new AppError("media_invalid", message, { reason: "not_stored" });
  }
  const fault = refusal.reason === "too_large" ? "This file is too large for" : "This file cannot be sent as";
  return new AppError("media_invalid", `${fault} ${kind}. Allowed: ${describeFormats(kind)}`, refusal);
}
