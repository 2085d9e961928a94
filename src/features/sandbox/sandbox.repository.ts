import { and, desc, eq, lt } from "drizzle-orm";
import { sandboxDeliveries } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";

export type DeliveryRow = typeof sandboxDeliveries.$inferSelect;

/** The ledger never merges: handing a message over twice shows twice. */
export async function insertDelivery(ctx: Ctx, row: DeliveryRow): Promise<void> {
  await ctx.db.insert(sandboxDeliveries).values(row);
}

export interface OutboxFilter {
  connectionId: string;
  address: string | undefined;
  limit: number;
  before: string | undefined;
}

/** Latest first, one row beyond `limit`. The caller has checked whose connection it is. */
export function listDeliveries(
  ctx: Ctx,
  { connectionId, address, limit, before }: OutboxFilter,
): Promise<DeliveryRow[]> {
  return ctx.db
    .select()
    .from(sandboxDeliveries)
    .where(
      and(
        eq(sandboxDeliveries.connectionId, connectionId),
        address === undefined ? undefined : eq(sandboxDeliveries.address, address),
        before === undefined ? undefined : lt(sandboxDeliveries.id, before),
      ),
    )
    .orderBy(desc(sandboxDeliveries.id))
    .limit(limit + 1);
}
