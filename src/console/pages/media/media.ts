import type { Context } from "hono";
import { readMediaOfMember } from "../../../features/media/open/read-media.ts";
import { presentFile } from "../../../features/media/media.views.ts";
import { readSession } from "../../../features/members/members.middleware.ts";
import type { AppEnv } from "../../../http/app-env.ts";
import { respondWithStream } from "../../../http/response/streamed-response.ts";
import { AppError, invalid } from "../../../shared/errors.ts";

import { presentMedia } from "../../../features/media/media.schemas.ts";
import { uploadMedia } from "../../../features/media/store/upload-media.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { FILES_PATH } from "../../kit/forms/file-field.tsx";
import { sendJson } from "../../kit/results.ts";

export async function serveMedia(c: Context<AppEnv>): Promise<Response> {
  const session = await readSession(c);
  if (session === null) throw new AppError("unauthorized", "Sign in first.");
  const request = { headers: c.req.raw.headers, isHead: c.req.method === "HEAD" };
  const content = await readMediaOfMember(c.var.base, session.memberships, c.req.param("id") ?? "", request);
  return respondWithStream(c, presentFile(content));
}

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
