import * as z from "zod";
import type { BaseCtx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { count, uncount } from "./count-attempts.repository.ts";

const WINDOW_MS = 15 * 60_000;
/** How many passwords may be tried within the window: on one account from one address, from one address, on one account. */
const LIMITS = { pair: 5, address: 50, account: 100 };

const counts = z.array(z.object({ key: z.string(), count: z.number(), until: z.number() }));

const minutes = (ms: number) => {
  const whole = Math.ceil(ms / 60_000);
  return whole === 1 ? "a minute" : `${whole} minutes`;
};

/**
 * Lets a password be tried, unless it has been tried too often: then `rate_limited`. Attempts count before they are made,
 * so that many at once are as few as many in turn. One that is right does not count.
 */
export async function tryPassword<T>(
  ctx: BaseCtx,
  { email, address }: { email: string; address: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const limits: Record<string, number> = {
    [`pair ${email} ${address}`]: LIMITS.pair,
    [`address ${address}`]: LIMITS.address,
    [`account ${email}`]: LIMITS.account,
  };
  const keys = Object.keys(limits);
  const counted = counts.parse(await count(ctx, keys, WINDOW_MS));
  const spent = counted.filter((each) => each.count > (limits[each.key] ?? 0));
  if (spent.length > 0) {
    const wait = Math.max(...spent.map(({ until }) => until)) - ctx.now();
    const message = `Too many attempts. Try again in ${minutes(wait)}.`;
    throw new AppError("rate_limited", message, null, Math.ceil(wait / 1000));
  }
  const result = await attempt();
  await uncount(ctx, keys);
  return result;
}
