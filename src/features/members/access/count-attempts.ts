import { and, gt, lte, sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { isOneOf } from "../../../db/idioms.ts";
import { signInAttempts } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { AppError } from "../../../shared/errors.ts";
import { ATTEMPT_WINDOW_MS, type Counter, type CounterChain } from "../members.attempts.ts";

const narrow = columns(signInAttempts, "narrow");

type StoredCounter = typeof signInAttempts.$inferSelect;

/**
 * Counts the attempt, unless this counter or a narrower one has reached its limit. The condition is part of the insert,
 * so concurrent attempts cannot exceed the limit.
 */
function incrementCounter({ control }: BaseCtx, { key, limit }: Counter, narrower: CounterChain, now: number) {
  const { count, until } = signInAttempts;
  const hasEnded = lte(until, now);
  const values = sql`
    SELECT ${key}, 1, ${now + ATTEMPT_WINDOW_MS} WHERE NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(narrower)}) n
      CROSS JOIN sign_in_attempts narrow ON ${narrow.key} = n.value ->> '$.key'
      WHERE ${narrow.until} > ${now} AND ${narrow.count} > n.value ->> '$.limit')`;
  return control
    .insert(signInAttempts)
    .select(values)
    .onConflictDoUpdate({
      target: signInAttempts.key,
      set: {
        count: sql`iif(${hasEnded}, 1, ${count} + 1)`,
        until: sql`iif(${hasEnded}, ${now + ATTEMPT_WINDOW_MS}, ${until})`,
      },
      setWhere: sql`${hasEnded} OR ${count} <= ${limit}`,
    })
    .returning();
}

function incrementCounters(
  ctx: BaseCtx,
  chains: readonly CounterChain[],
): Promise<{ incremented: StoredCounter[]; current: StoredCounter[] }> {
  const now = ctx.now();
  const keys = chains.flat().map(({ key }) => key);
  return transact(ctx.control, {
    incremented: chains.flatMap((chain) =>
      chain.map((counter, index) => incrementCounter(ctx, counter, chain.slice(0, index), now)),
    ),
    current: ctx.control
      .select()
      .from(signInAttempts)
      .where(and(isOneOf(signInAttempts.key, keys), gt(signInAttempts.until, now))),
  });
}

async function decrementCounters(ctx: BaseCtx, keys: string[]): Promise<void> {
  await ctx.control
    .update(signInAttempts)
    .set({ count: sql`${signInAttempts.count} - 1` })
    .where(isOneOf(signInAttempts.key, keys));
}

/**
 * An attempt is counted before the password is compared, so that concurrent attempts cannot exceed the limit. A correct
 * password removes the count again.
 */
export interface CountedAttempt {
  isSpent(counter: Counter): boolean;
  error(): AppError;
  uncount(...chains: readonly CounterChain[]): Promise<void>;
}

export function tooManyAttemptsError(ms: number): AppError {
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
  const { incremented, current } = await incrementCounters(ctx, chains);
  const counted = new Set(incremented.map(({ key }) => key));
  const currentByKey = new Map(current.map((counter) => [counter.key, counter]));
  const isSpent = ({ key, limit }: Counter) => (currentByKey.get(key)?.count ?? 0) > limit;
  return {
    isSpent,
    error() {
      const ends = chains
        .flat()
        .flatMap((counter) => (isSpent(counter) ? [currentByKey.get(counter.key)?.until ?? 0] : []));
      return tooManyAttemptsError(Math.max(...ends, 0) - ctx.now());
    },
    async uncount(...rightChains) {
      const keys = rightChains.flat().flatMap(({ key }) => (counted.has(key) ? [key] : []));
      if (keys.length > 0) await decrementCounters(ctx, keys);
    },
  };
}
