import type { Context } from "hono";
import { findUnreachable } from "../features/status/check-health.ts";
import type { AppEnv } from "../http/app-env.ts";
import { clientNetwork } from "../http/request/headers.ts";
import { AppError } from "../shared/errors.ts";
import { sendingState } from "../shared/sending.ts";

/** `GET /health?deep=1`, for monitors without a key. Limited by network, because each call reads from every part. */
export async function respondWithDeepHealth(c: Context<AppEnv>): Promise<Response> {
  const { success } = await c.env.LOOKUP_LIMITER.limit({ key: clientNetwork(c) });
  if (!success) throw new AppError("rate_limited", "Too many checks from this address. Try again shortly.", null, 60);
  const unreachable = await findUnreachable(c.var.base);
  if (unreachable.length > 0) throw new AppError("unavailable", `Not responding: ${unreachable.join(", ")}.`, null, 5);
  return c.json({ success: true, status: "ok", sending: sendingState(c.var.base) });
}
