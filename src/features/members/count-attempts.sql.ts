import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { BaseCtx } from "../../shared/context.ts";
import type { Chain, Counter } from "./members.attempts.ts";

/** One attempt more, unless the counter, or a narrower one, is spent: then nothing is written. */
const countOne = ({ key, limit }: Counter, narrower: Chain, now: number, windowMs: number) => sql`
  INSERT INTO sign_in_attempts (key, count, until)
  SELECT ${key}, 1, ${now + windowMs} WHERE NOT EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify(narrower)}) n CROSS JOIN sign_in_attempts a ON a.key = n.value ->> '$.key'
    WHERE a.until > ${now} AND a.count > n.value ->> '$.limit')
  ON CONFLICT (key) DO UPDATE SET
    count = iif(until <= ${now}, 1, count + 1), until = iif(until <= ${now}, excluded.until, until)
  WHERE until <= ${now} OR count <= ${limit}
  RETURNING key, count, until`;

/** Counts one attempt along each chain. Gives the counters that took it, and then how all of them stand. */
export async function count(
  ctx: BaseCtx,
  chains: readonly Chain[],
  windowMs: number,
): Promise<{ counted: unknown[]; all: unknown[] }> {
  const now = ctx.now();
  const steps = chains.flatMap((chain) =>
    chain.map((counter, index) => countOne(counter, chain.slice(0, index), now, windowMs)),
  );
  const keys = JSON.stringify(chains.flat().map(({ key }) => key));
  const results = await batch(ctx.control, [
    ...steps,
    sql`SELECT key, count, until FROM sign_in_attempts WHERE key IN (SELECT value FROM json_each(${keys})) AND until > ${now}`,
  ]);
  return { counted: results.slice(0, -1).flat(), all: results.at(-1) ?? [] };
}

/** Takes attempts back that turned out to be right. */
export async function uncount(ctx: BaseCtx, keys: string[]): Promise<void> {
  await ctx.control.run(sql`
    UPDATE sign_in_attempts SET count = count - 1 WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
