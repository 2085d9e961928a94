import type { Context } from "hono";
import { readMediaOfMember } from "../../../features/media/open/read-media.ts";
import { presentFile } from "../../../features/media/media.views.ts";
import { readSession } from "../../../features/members/members.middleware.ts";
import type { AppEnv } from "../../../http/app-env.ts";
import { respondWithStream } from "../../../http/response/streamed-response.ts";
import { AppError } from "../../../shared/errors.ts";

/** Streams files of the user's workspaces. */
export async function serveMedia(c: Context<AppEnv>): Promise<Response> {
  const session = await readSession(c);
  if (session === null) throw new AppError("unauthorized", "Sign in first.");
  const request = { headers: c.req.raw.headers, isHead: c.req.method === "HEAD" };
  const content = await readMediaOfMember(c.var.base, session.memberships, c.req.param("id") ?? "", request);
  return respondWithStream(c, presentFile(content));
}
