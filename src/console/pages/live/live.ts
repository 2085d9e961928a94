import type { Context } from "hono";
import { openLiveSocket } from "../../../features/live-updates/viewer-sessions.ts";
import { readSession } from "../../../features/members/members.middleware.ts";
import type { AppEnv } from "../../../http/app-env.ts";
import { respondWithError } from "../../../http/response/errors.ts";
import { requireSameOrigin } from "../../../http/request/forgery.ts";
import { AppError } from "../../../shared/errors.ts";

async function acceptPage(c: Context<AppEnv>): Promise<Response> {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket")
    throw new AppError("validation_failed", "Open this URL as a WebSocket.");
  requireSameOrigin(c);
  const session = await readSession(c);
  if (session === null) throw new AppError("unauthorized", "Sign in first.");
  const webSocket = await openLiveSocket(c.var.base, session, c.req.param("ws") ?? "");
  return new Response(null, { status: 101, webSocket });
}

/** Errors are JSON and not pages, because a script opens this WebSocket. */
export const serveLive = (c: Context<AppEnv>): Promise<Response> =>
  acceptPage(c).catch((error: unknown) =>
    respondWithError(error instanceof Error ? error : new Error(String(error)), c),
  );
