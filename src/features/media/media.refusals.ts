import { AppError } from "../../shared/errors.ts";
import { describeFormats, type MediaFault, type mediaLimits, type MediaRefusal, refusalOfFile } from "./media.kinds.ts";

const messages: Record<MediaFault, string> = {
  wrong_type: "The file's bytes do not match its type.",
  too_large: "The file is too large.",
  empty: "The file is empty.",
  wrong_length: "The file does not have the announced length.",
  not_fetched: "The file could not be fetched.",
  not_stored: "The file is not stored.",
};

/** A rejected file, with the reason. */
export class MediaRefused extends Error {
  constructor(
    readonly refusal: MediaRefusal,
    message = messages[refusal.reason],
    /** The total number of attempts, if more attempts may succeed. */
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

/** The error for a file that this kind of message does not accept. */
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
