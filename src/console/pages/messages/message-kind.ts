// Which kind of message a file is sent as.
import type { MediaType } from "../../../channels/content.ts";
import { refusalOfFile } from "../../../features/media/media.kinds.ts";
import { invalid } from "../../../shared/errors.ts";
import type { ChosenFile } from "../../kit/file-field.tsx";

/** Kinds in the order in which they are preferred; stickers are never meant by a file that is attached. */
const KINDS = ["image", "video", "audio", "document"] as const satisfies MediaType[];

export type AttachedKind = (typeof KINDS)[number];

/** The best kind that takes the file: what is too large for a picture still goes as a document. Throws `validation_failed`. */
export function kindOfFile({ mime_type, bytes }: ChosenFile): AttachedKind {
  const file = { mimeType: mime_type ?? "", bytes: bytes ?? 0 };
  const kind = KINDS.find((each) => refusalOfFile(each, file) === null);
  if (kind !== undefined) return kind;
  const message = "Files of this kind cannot be sent: programs, web pages, and what is over 100 MB.";
  throw invalid({ path: "media_id", code: "invalid_value", message });
}
