import type { BaseCtx } from "../../shared/context.ts";
import { AppError, askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { KeyPolicy, Verdict } from "./rate-limits.schemas.ts";

/** If the limiter cannot be reached, the request fails. Otherwise requests would pass without a limit. */
async function askLimiter<T>(
  ctx: BaseCtx,
  keyId: string,
  ask: (limiter: ReturnType<Env["KEY_LIMITER"]["getByName"]>) => Promise<T>,
): Promise<T> {
  try {
    return await askObject(() => ask(ctx.limiters.getByName(keyId)));
  } catch (error) {
    log.error("limiter_unreachable", { requestId: ctx.requestId, keyId, error });
    throw new AppError("unavailable", "The key's request counter is busy. Try again shortly.", null, 1);
  }
}

export const admitRequest = (ctx: BaseCtx, policy: KeyPolicy): Promise<Verdict> =>
  askLimiter(ctx, policy.keyId, async (limiter) => limiter.admit(policy));

/** Uncounts a request that was admitted at this time. Not repeated, because a repeat could uncount another request. */
export const giveBackRequest = async (ctx: BaseCtx, keyId: string, at: number): Promise<void> =>
  ctx.limiters.getByName(keyId).giveBack(at);

export const publishPolicy = (ctx: BaseCtx, policy: KeyPolicy): Promise<void> =>
  askLimiter(ctx, policy.keyId, async (limiter) => limiter.setPolicy(policy));
