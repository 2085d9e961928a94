import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/durations.ts";
import { AppError } from "../../shared/errors.ts";
import { decrementCounters, incrementCounters } from "./count-attempts.sql.ts";
import { ATTEMPT_WINDOW_MS, type Counter, type CounterChain } from "./members.attempts.ts";

/** An attempt that has been counted before it is made, so that many at once are as few as many in turn. */
export interface CountedAttempt {
  isSpent(counter: Counter): boolean;
  /** Says how long to wait. */
  refusal(): AppError;
  /** Sets the counters of these chains back to where they were, after a password that was right. */
  takeBack(...chains: readonly CounterChain[]): Promise<void>;
}

export function waitRefusal(ms: number): AppError {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const words = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new AppError(
    "rate_limited",
    `Too many attempts. Try again in ${words}.`,
    null,
    Math.max(1, Math.ceil(ms / 1000)),
  );
}

export async function countAttempt(ctx: BaseCtx, chains: readonly CounterChain[]): Promise<CountedAttempt> {
  const { incremented, standing } = await incrementCounters(ctx, chains, ATTEMPT_WINDOW_MS);
  const counted = new Set(incremented.map(({ key }) => key));
  const standingByKey = new Map(standing.map((counter) => [counter.key, counter]));
  const isSpent = ({ key, limit }: Counter) => (standingByKey.get(key)?.count ?? 0) > limit;
  return {
    isSpent,
    refusal() {
      const ends = chains
        .flat()
        .flatMap((counter) => (isSpent(counter) ? [standingByKey.get(counter.key)?.until ?? 0] : []));
      return waitRefusal(Math.max(...ends, 0) - ctx.now());
    },
    async takeBack(...rightChains) {
      const keys = rightChains.flat().flatMap(({ key }) => (counted.has(key) ? [key] : []));
      if (keys.length > 0) await decrementCounters(ctx, keys);
    },
  };
}
