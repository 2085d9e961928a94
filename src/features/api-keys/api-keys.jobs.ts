import * as z from "zod";
import type { BaseCtx } from "../../shared/context.ts";
import type { KeyUsage } from "../rate-limits/rate-limits.schemas.ts";
import { updateLastUsed } from "./api-keys.sql.ts";

const usage = z.object({ keyId: z.string(), at: z.number() }) satisfies z.ZodType<KeyUsage>;

export async function recordUsage(ctx: BaseCtx, reports: readonly unknown[]): Promise<void> {
  const used = new Map<string, number>();
  for (const { keyId, at } of z.array(usage).parse(reports)) used.set(keyId, Math.max(used.get(keyId) ?? 0, at));
  await updateLastUsed(ctx, used);
}
