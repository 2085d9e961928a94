import { presentMedia } from "../../../features/media/media.schemas.ts";
import { uploadMedia } from "../../../features/media/store/upload-media.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { FILES_PATH } from "../../kit/forms/file-field.tsx";
import { sendJson } from "../../kit/results.ts";

export const filePages = workspacePages();

const REFUSALS = ["media_invalid", "payload_too_large", "unsupported_media_type"];

filePages.upload(FILES_PATH, "agent", async ({ ctx }, { name, ...body }) => {
  try {
    const media = await uploadMedia(ctx, { ...body, onceFor: () => Promise.resolve(null) }, name === "" ? null : name);
    return sendJson({ media: presentMedia(media) });
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
    throw invalid({ path: "file", code: error.code, message: error.message });
  }
});
