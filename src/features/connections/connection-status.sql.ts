// Status changes caused by providers and tests; connections.changes.ts handles new settings. Raw, because batches of sends and
// receipts contain these statements.
import { and, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { connections } from "../../db/schema/index.ts";
import type { ConnectionNotice } from "../../channels/channel-events.ts";
import { type SQL, transact } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { appendEvents, changeEvents } from "../events/append-events.sql.ts";
import { LONGEST_PAUSE_MS, retestPauseMs, SHARE_OF_OUTAGE, SHORTEST_PAUSE_MS } from "./connections.schedules.ts";

const isConnection = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** Changes the status of connections if `condition` is true. Logs an event if a visible field differs. */
function changeConnectionStatus(
  ctx: Ctx,
  { status, detail, others }: { status: string | null; detail: string | null; others?: SQL },
  condition: SQL,
): SQL[] {
  const fields = {
    status: [sql`status`, status === null ? sql`status` : sql`${status}`],
    status_detail: [sql`status_detail`, sql`${detail}`],
  } as const;
  const from = sql`FROM connections WHERE ${condition}`;
  return [
    appendEvents(ctx, changeEvents("connection.status_changed", { objectId: sql`id`, fields, from })),
    sql`
      UPDATE connections SET status_detail = ${detail} ${status === null ? sql`` : sql`, status = ${status}`}
        ${others === undefined ? sql`` : sql`, ${others}`}
      WHERE ${condition}`,
  ];
}

/** Older and repeated notices change nothing. Without a status, a notice only adds a detail to an active connection. */
export const updateConnectionStatus = (
  ctx: Ctx,
  id: string,
  { status, detail }: ConnectionNotice,
  at: number,
): SQL[] => {
  const acceptsNotice = sql`${isConnection(ctx, id)} AND deleted_at IS NULL AND coalesce(status_at, 0) <= ${at}`;
  return status === null
    ? changeConnectionStatus(
        ctx,
        { status, detail },
        sql`${acceptsNotice} AND status = 'active' AND status_detail IS NOT ${detail}`,
      )
    : changeConnectionStatus(
        ctx,
        { status, detail, others: sql`status_at = ${at}, unreachable_since = NULL, retest_at = NULL` },
        sql`${acceptsNotice} AND (status, status_detail, status_at) IS NOT (${status}, ${detail}, ${at})`,
      );
};

/** Older and repeated limits change nothing. */
function updateMessagingLimit(ctx: Ctx, id: string, limit: string, at: number): SQL[] {
  const condition = sql`${isConnection(ctx, id)} AND deleted_at IS NULL AND coalesce(messaging_limit_at, 0) <= ${at}
    AND (messaging_limit, messaging_limit_at) IS NOT (${limit}, ${at})`;
  const fields = { messaging_limit: [sql`messaging_limit`, sql`${limit}`] } as const;
  const from = sql`FROM connections WHERE ${condition}`;
  return [
    appendEvents(ctx, changeEvents("connection.limit_changed", { objectId: sql`id`, fields, from })),
    sql`UPDATE connections SET messaging_limit = ${limit}, messaging_limit_at = ${at} WHERE ${condition}`,
  ];
}

export async function applyConnectionNotice(ctx: Ctx, id: string, notice: ConnectionNotice, at: number): Promise<void> {
  const { messagingLimit } = notice;
  await transact(ctx.db, {
    status: updateConnectionStatus(ctx, id, notice, at),
    limit: messagingLimit === undefined ? [] : updateMessagingLimit(ctx, id, messagingLimit, at),
  });
}

const NO_USABLE_ANSWER =
  "The provider returned no usable response to several messages in a row. Tidings tests the connection until the provider responds.";

/** Marks an active connection as unreachable if `condition` is true, and schedules its tests. */
export function markUnreachable(ctx: Ctx, id: string, condition: SQL, detail = NO_USABLE_ANSWER): SQL[] {
  const now = ctx.now();
  const others = sql`status_at = ${now}, unreachable_since = ${now}, retest_at = ${now + retestPauseMs(0)}`;
  return changeConnectionStatus(
    ctx,
    { status: "error", detail, others },
    sql`${isConnection(ctx, id)} AND status = 'active' AND deleted_at IS NULL AND ${condition}`,
  );
}

export async function markTestFailed(ctx: Ctx, id: string, detail: string): Promise<void> {
  await transact(ctx.db, { status: markUnreachable(ctx, id, sql`TRUE`, detail) });
}

/** Makes an unreachable connection active if `condition` is true. Other errors stay. */
export const clearUnreachable = (ctx: Ctx, id: SQL, condition: SQL): SQL[] =>
  changeConnectionStatus(
    ctx,
    {
      status: "active",
      detail: null,
      others: sql`status_at = ${ctx.now()}, unreachable_since = NULL, retest_at = NULL`,
    },
    sql`${isConnection(ctx, id)} AND unreachable_since IS NOT NULL AND ${condition}`,
  );

export async function markReachable(ctx: Ctx, id: string): Promise<void> {
  await transact(ctx.db, { status: clearUnreachable(ctx, sql`${id}`, sql`TRUE`) });
}

/** `retestPauseMs` in SQL, because each connection has its own outage. Truncates here, because D1 binds numbers as reals. */
export const retestPauseMsSql = (outageMs: SQL): SQL =>
  sql`min(${LONGEST_PAUSE_MS}, max(${SHORTEST_PAUSE_MS}, CAST(${outageMs} / ${SHARE_OF_OUTAGE} AS INTEGER)))`;

/** Claims the connections of any workspace that are due for a test, and schedules their next test. */
export async function claimRetests(db: Database, now: number, limit: number): Promise<string[]> {
  const isDue = lte(connections.retestAt, now);
  const due = db
    .select({ id: connections.id })
    .from(connections)
    .where(isDue)
    .orderBy(connections.retestAt)
    .limit(limit);
  const claimed = await db
    .update(connections)
    .set({ retestAt: sql`${now} + ${retestPauseMsSql(sql`(${now} - unreachable_since)`)}` })
    .where(
      and(inArray(connections.id, due), isDue, isNotNull(connections.unreachableSince), isNull(connections.deletedAt)),
    )
    .returning({ id: connections.id });
  return claimed.map(({ id }) => id);
}
