import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { jsonLists } from "../../db/idioms.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { connections, sandboxDeliveries } from "../../db/schema/index.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";

export type SandboxDelivery = typeof sandboxDeliveries.$inferSelect;

/** Stores deliveries in one transaction. A message delivered twice has two rows, so tests can count duplicates. */
export async function insertSandboxDeliveries(ctx: Ctx, rows: SandboxDelivery[]): Promise<void> {
  const insert = (json: string) => sql`
    INSERT INTO sandbox_deliveries (id, connection_id, message_id, address, body, content, attempt, at)
    SELECT e.value ->> 'id', e.value ->> 'connectionId', e.value ->> 'messageId', e.value ->> 'address', e.value ->> 'body',
      e.value ->> 'content', e.value ->> 'attempt', e.value ->> 'at'
    FROM json_each(${json}) e`;
  await transact(ctx.db, { deliveries: jsonLists(rows).map(insert) });
}

export interface OutboxFilter {
  connectionId: string;
  address: string | undefined;
  limit: number;
  before: string | undefined;
}

/** The connection's provider and deliveries, latest first, up to `limit` + 1 rows. Null if the connection does not exist. */
export async function listSandboxDeliveries(
  ctx: Ctx,
  { connectionId, address, limit, before }: OutboxFilter,
): Promise<{ provider: string; deliveries: SandboxDelivery[] } | null> {
  const { connection, deliveries } = await transact(ctx.db, {
    connection: ctx.db
      .select({ provider: connections.provider })
      .from(connections)
      .where(
        and(
          eq(connections.id, connectionId),
          eq(connections.workspaceId, ctx.workspace.id),
          isNull(connections.deletedAt),
        ),
      ),
    deliveries: ctx.db
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
  });
  const provider = connection[0]?.provider;
  return provider === undefined ? null : { provider, deliveries };
}

export const deleteSandboxDeliveriesBefore = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, sandboxDeliveries, lt(sandboxDeliveries.at, before));
