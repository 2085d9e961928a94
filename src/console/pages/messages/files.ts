import type { MediaRecord } from "../../../features/media/media.schemas.ts";
import { presentMedia } from "../../../features/media/media.schemas.ts";
import { uploadMedia } from "../../../features/media/store/upload-media.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { FILES_PATH } from "../../kit/forms/file-field.tsx";
import type { SentFile } from "../../kit/forms/multipart.ts";
import { sendJson } from "../../kit/results.ts";
import { onceForStep } from "../../kit/forms/saving.ts";

export const filePages = workspacePages();

/** Browsers send no type for unknown files; the bytes decide. */
const UNKNOWN = "application/octet-stream";

const REFUSALS = ["media_invalid", "payload_too_large", "unsupported_media_type"];

/**
 * Streams a file into the workspace's media; a repeated form stores it once. Throws `validation_failed` at `file` for
 * unsupported files.
 */
export async function storeSentFile(ctx: Ctx, file: SentFile): Promise<MediaRecord> {
  const { body: stream, bytes: length, name, type } = file;
  const onceFor = async (sha256: string) => onceForStep(ctx.once, `file ${sha256}`);
  const body = { stream, length, contentType: type === "" ? UNKNOWN : type, onceFor };
  try {
    return await uploadMedia(ctx, body, name === "" ? null : name);
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
    throw invalid({ path: "file", code: error.code, message: error.message });
  }
}

/** A file alone, from a script. */
filePages.upload(
  FILES_PATH,
  {
    role: "agent",
    onInvalid: () => {
      throw new AppError("unsupported_media_type", "Send the raw file with its Content-Type.");
    },
  },
  async ({ ctx }, { upload: { file, isScript } }) => {
    if (file === null || !isScript) throw invalid({ path: "file", code: "required", message: "Send the raw file." });
    return sendJson({ media: presentMedia(await storeSentFile(ctx, file)) });
  },
);
