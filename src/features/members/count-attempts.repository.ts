import { sql } from "drizzle-orm";
import type { BaseCtx } from "../../shared/context.ts";

/** Counts one attempt under each key and gives the counts; one whose time has passed begins anew. */
export function count(ctx: BaseCtx, keys: string[], windowMs: number): Promise<unknown[]> {
  const now = ctx.now();
  return ctx.control.all(sql`
    INSERT INTO sign_in_attempts (key, count, until) SELECT value, 1, ${now + windowMs} FROM json_each(${JSON.stringify(keys)}) WHERE TRUE
    ON CONFLICT (key) DO UPDATE SET
      count = iif(until <= ${now}, 1, count + 1), until = iif(until <= ${now}, excluded.until, until)
    RETURNING key, count, until`);
}

/** Takes attempts back that turned out to be right. */
export async function uncount(ctx: BaseCtx, keys: string[]): Promise<void> {
  await ctx.control.run(sql`
    UPDATE sign_in_attempts SET count = count - 1 WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
