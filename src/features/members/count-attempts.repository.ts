import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { BaseCtx } from "../../shared/context.ts";

/** Counts one attempt under each key and gives the counts; also forgets counts and sessions that have ended. */
export async function count(ctx: BaseCtx, keys: string[], windowMs: number): Promise<unknown[]> {
  const now = ctx.now();
  const [, , counted = []] = await batch(ctx.control, [
    sql`DELETE FROM sign_in_attempts WHERE until <= ${now}`,
    sql`DELETE FROM sessions WHERE expires_at <= ${now}`,
    sql`
      INSERT INTO sign_in_attempts (key, count, until) SELECT value, 1, ${now + windowMs} FROM json_each(${JSON.stringify(keys)}) WHERE TRUE
      ON CONFLICT (key) DO UPDATE SET count = count + 1 RETURNING key, count, until`,
  ]);
  return counted;
}

/** Takes attempts back that turned out to be right. */
export async function uncount(ctx: BaseCtx, keys: string[]): Promise<void> {
  await ctx.control.run(sql`
    UPDATE sign_in_attempts SET count = count - 1 WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
