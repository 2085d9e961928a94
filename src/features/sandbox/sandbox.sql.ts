import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import { jsonLists } from "../../db/idioms.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { connections, sandboxDeliveries } from "../../db/schema/index.ts";
import type { Ctx, Database } from "../../shared/context.ts";

export type DeliveryRow = typeof sandboxDeliveries.$inferSelect;

/** Writes down together what was handed over together. The ledger never merges: handing a message over twice shows twice. */
export async function insertDeliveries(ctx: Ctx, rows: DeliveryRow[]): Promise<void> {
  const insert = (json: string) => sql`
    INSERT INTO sandbox_deliveries (id, connection_id, message_id, address, body, attempt, at)
    SELECT e.value ->> 'id', e.value ->> 'connectionId', e.value ->> 'messageId', e.value ->> 'address', e.value ->> 'body',
      e.value ->> 'attempt', e.value ->> 'at'
    FROM json_each(${json}) e`;
  await batch(ctx.db, jsonLists(rows).map(insert));
}

export interface OutboxFilter {
  connectionId: string;
  address: string | undefined;
  limit: number;
  before: string | undefined;
}

/** The connection's provider and its deliveries, latest first, one row beyond `limit`; null when there is no such connection. */
export async function listDeliveries(
  ctx: Ctx,
  { connectionId, address, limit, before }: OutboxFilter,
): Promise<{ provider: string; deliveries: DeliveryRow[] } | null> {
  const [[connection], deliveries] = await ctx.db.batch([
    ctx.db
      .select({ provider: connections.provider })
      .from(connections)
      .where(
        and(
          eq(connections.id, connectionId),
          eq(connections.workspaceId, ctx.workspace.id),
          isNull(connections.deletedAt),
        ),
      ),
    ctx.db
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
      .limit(limit + 1),
  ]);
  return connection === undefined ? null : { ...connection, deliveries };
}

export const deleteDeliveriesBefore = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, { table: "sandbox_deliveries", key: "connection_id, id", condition: sql`at < ${before}` });
