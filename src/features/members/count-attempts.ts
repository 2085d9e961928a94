import * as z from "zod";
import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/durations.ts";
import { AppError } from "../../shared/errors.ts";
import { count, uncount } from "./count-attempts.sql.ts";
import { type Chain, type Counter, WINDOW_MS } from "./members.attempts.ts";

const counts = z.array(z.object({ key: z.string(), count: z.number(), until: z.number() }));

/** An attempt that has been counted before it is made, so that many at once are as few as many in turn. */
export interface CountedAttempt {
  isSpent(counter: Counter): boolean;
  /** Says how long to wait. */
  refusal(): AppError;
  /** For a password that was right: the counters of these chains are as they were before. */
  takeBack(...chains: readonly Chain[]): Promise<void>;
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

export async function countAttempt(ctx: BaseCtx, chains: readonly Chain[]): Promise<CountedAttempt> {
  const { counted, all } = await count(ctx, chains, WINDOW_MS);
  const taken = new Set(counts.parse(counted).map(({ key }) => key));
  const standing = new Map(counts.parse(all).map((each) => [each.key, each]));
  const isSpent = ({ key, limit }: Counter) => (standing.get(key)?.count ?? 0) > limit;
  return {
    isSpent,
    refusal() {
      const ends = chains
        .flat()
        .flatMap((counter) => (isSpent(counter) ? [standing.get(counter.key)?.until ?? 0] : []));
      return waitRefusal(Math.max(...ends, 0) - ctx.now());
    },
    async takeBack(...rightful) {
      const keys = rightful.flat().flatMap(({ key }) => (taken.has(key) ? [key] : []));
      if (keys.length > 0) await uncount(ctx, keys);
    },
  };
}
