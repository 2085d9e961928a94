import { sql } from "drizzle-orm";
import { transact } from "../../src/db/statement.ts";
import { appendEvents } from "../../src/features/events/append-events.sql.ts";
import { emptyOutbox } from "../../src/features/events/empty-outbox.ts";
import { contextOf } from "./context.ts";
import { type Answer, type Customer, World } from "./world.ts";
import type { Ctx } from "../../src/shared/context.ts";

interface LoggedEvent {
  type: string;
  id: string;
  changes?: Record<string, [unknown, unknown]>;
}

const emptied = new Set<string>();

async function emptyLog(ctx: Ctx): Promise<void> {
  if (emptied.has(ctx.workspace.id)) return;
  emptied.add(ctx.workspace.id);
  await emptyOutbox(ctx, ctx.workspace);
  await ctx.db.run(sql`DELETE FROM event_chunks WHERE workspace_id = ${ctx.workspace.id}`);
}

export async function logEvents(ctx: Ctx, events: readonly LoggedEvent[]): Promise<void> {
  await emptyLog(ctx);
  await transact(ctx.db, {
    append: appendEvents(
      ctx,
      sql`SELECT value ->> 'type' AS type, value ->> 'id' AS object_id, value -> 'changes' AS changes
        FROM json_each(${JSON.stringify(events)})`,
    ),
  });
}

export async function fillLog(ctx: Ctx, chunks: number, size: number, type = "message.sent"): Promise<void> {
  await emptyLog(ctx);
  await ctx.db.$client
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1),
        body (text) AS (SELECT json_group_array(json_array(?2, 'msg_' || value, NULL)) FROM json_each(?3)),
        base (first) AS (SELECT coalesce(max(first + count), 1) FROM event_chunks WHERE workspace_id = ?4)
      INSERT INTO event_chunks (workspace_id, first, count, at, actor_type, actor_id, body)
      SELECT ?4, base.first + n.i * ?5, ?5, ?6, 'system', NULL, text FROM n, body, base`,
    )
    .bind(
      chunks,
      type,
      JSON.stringify(Array.from({ length: size }, (_, index) => index)),
      ctx.workspace.id,
      size,
      Date.now(),
    )
    .run();
}

export const log = async (customer: Customer, events: readonly LoggedEvent[]): Promise<void> =>
  logEvents(await contextOf(customer), events);

export const eventPage = async (customer: Customer, query = ""): Promise<Answer["body"]> =>
  (await customer.call("GET", `/events${query}`)).body;

export async function customerWithEmptyLog(
  world = new World(),
  options: Parameters<World["customer"]>[0] = {},
): Promise<Customer> {
  const customer = await world.customer(options);
  await emptyLog(await contextOf(customer));
  return customer;
}
