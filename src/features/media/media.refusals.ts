import { AppError } from "../../shared/errors.ts";
import type { MediaFault, MediaRefusal } from "./media.kinds.ts";

const messages: Record<MediaFault, string> = {
  wrong_type: "The bytes are not a file of the type that is given.",
  too_large: "The file is too large.",
  empty: "The file is empty.",
  wrong_length: "The file does not have the length that was announced.",
  not_fetched: "The file could not be fetched.",
  not_stored: "The file is not stored.",
};

/** A file that is not taken, and why. */
export class MediaRefused extends Error {
  constructor(
    readonly refusal: MediaRefusal,
    message = messages[refusal.reason],
    /** Other tries may do better, and so many are made in all. */
    readonly maxTries = 1,
  ) {
    super(message);
  }
}

export const refuseMedia = ({ refusal, message }: MediaRefused): AppError =>
  new AppError("media_invalid", message, refusal);
