import { sql } from "drizzle-orm";
import * as z from "zod";
import { apiKeys } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";
import type { KeyUsage } from "../rate-limits/rate-limits.schemas.ts";

const usage = z.object({ keyId: z.string(), at: z.number() }) satisfies z.ZodType<KeyUsage>;

export async function recordUsage(ctx: BaseCtx, reports: readonly unknown[]): Promise<void> {
  const used = new Map<string, number>();
  for (const { keyId, at } of z.array(usage).parse(reports)) used.set(keyId, Math.max(used.get(keyId) ?? 0, at));
  const json = JSON.stringify(Object.fromEntries(used));
  const usedAt = sql`json_extract(${json}, '$.' || ${apiKeys.id})`;
  await ctx.control
    .update(apiKeys)
    .set({ lastUsedAt: usedAt })
    .where(
      sql`${apiKeys.id} IN (SELECT key FROM json_each(${json})) AND coalesce(${apiKeys.lastUsedAt}, 0) < ${usedAt}`,
    );
}
