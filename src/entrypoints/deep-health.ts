import type { Context } from "hono";
import { findUnreachable } from "../features/status/check-health.ts";
import type { AppEnv } from "../http/app-env.ts";
import { clientNetwork } from "../http/request/headers.ts";
import type { BaseCtx } from "../shared/context.ts";
import { AppError } from "../shared/errors.ts";
import { Memo } from "../shared/memo.ts";
import { sendingState } from "../shared/sending.ts";
import { SECOND_MS } from "../shared/time/durations.ts";

/** The last result of this isolate. For five seconds, further checks return it and read nothing. */
const results = new Memo<string[]>(1, 5 * SECOND_MS);

export async function respondWithDeepHealth(c: Context<AppEnv>): Promise<Response> {
  const { success } = await c.env.LOOKUP_LIMITER.limit({ key: clientNetwork(c) });
  if (!success) throw new AppError("rate_limited", "Too many checks from this address. Try again shortly.", null, 60);
  const { base } = c.var;
  const unreachable = results.get("unreachable", base.now()) ?? (await checkNow(base));
  if (unreachable.length > 0) throw new AppError("unavailable", `Not responding: ${unreachable.join(", ")}.`, null, 5);
  return c.json({ success: true, status: "ok", sending: sendingState(base) });
}

const checkNow = async (base: BaseCtx): Promise<string[]> =>
  results.set("unreachable", await findUnreachable(base), base.now());
