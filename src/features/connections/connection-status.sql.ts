// Raw SQL, because these statements run in the batches that send or receive messages, and check their conditions there.
import { isNotNull, sql, type SQL } from "drizzle-orm";
import { columns, updateSet } from "../../db/columns.ts";
import { connections } from "../../db/schema/index.ts";
import type { ConnectionNotice } from "../../channels/channel-events.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { appendEvents, changeEvents } from "../events/append-events.sql.ts";
import type { Connection } from "./connections.schemas.ts";
import { claimDueConnections } from "./connections.sql.ts";
import { LONGEST_PAUSE_MS, retestPauseMs, SHARE_OF_OUTAGE, SHORTEST_PAUSE_MS } from "./connections.schedules.ts";

const c = columns(connections);

const isConnection = (ctx: Ctx, id: string | SQL): SQL =>
  sql`${c.id} = ${id} AND ${c.workspaceId} = ${ctx.workspace.id}`;

type StatusChange = Pick<Connection, "statusDetail"> &
  Partial<Pick<Connection, "status" | "statusAt" | "unreachableSince" | "retestAt">>;

/** Logs an event only if a field in the API's responses changes. */
function changeConnectionStatus(ctx: Ctx, change: StatusChange, condition: SQL): SQL[] {
  const fields = {
    status: [c.status, sql`${change.status ?? c.status}`],
    status_detail: [c.statusDetail, sql`${change.statusDetail}`],
  } as const;
  const from = sql`FROM connections WHERE ${condition}`;
  return [
    appendEvents(ctx, changeEvents("connection.status_changed", { objectId: c.id, fields, from })),
    updateSet(connections, change, sql`WHERE ${condition}`),
  ];
}

const REACHABLE = { unreachableSince: null, retestAt: null };

/**
 * Providers can repeat a notice or send it late, so an older notice changes nothing. A notice without a status only
 * adds a detail to an active connection.
 */
export const updateConnectionStatus = (
  ctx: Ctx,
  id: string,
  { status, detail }: ConnectionNotice,
  at: number,
): SQL[] => {
  const acceptsNotice = sql`${isConnection(ctx, id)} AND ${c.deletedAt} IS NULL AND coalesce(${c.statusAt}, 0) <= ${at}`;
  return status === null
    ? changeConnectionStatus(
        ctx,
        { statusDetail: detail },
        sql`${acceptsNotice} AND ${c.status} = 'active' AND ${c.statusDetail} IS NOT ${detail}`,
      )
    : changeConnectionStatus(
        ctx,
        { status, statusDetail: detail, statusAt: at, ...REACHABLE },
        sql`${acceptsNotice}
          AND (${c.status}, ${c.statusDetail}, ${c.statusAt}) IS NOT (${status}, ${detail}, ${at})`,
      );
};

/** Providers can repeat a limit or send it late, so an older limit changes nothing. */
function updateMessagingLimit(ctx: Ctx, id: string, limit: string, at: number): SQL[] {
  const condition = sql`
    ${isConnection(ctx, id)} AND ${c.deletedAt} IS NULL AND coalesce(${c.messagingLimitAt}, 0) <= ${at}
      AND (${c.messagingLimit}, ${c.messagingLimitAt}) IS NOT (${limit}, ${at})`;
  const fields = { messaging_limit: [c.messagingLimit, sql`${limit}`] } as const;
  const from = sql`FROM connections WHERE ${condition}`;
  return [
    appendEvents(ctx, changeEvents("connection.limit_changed", { objectId: c.id, fields, from })),
    updateSet(connections, { messagingLimit: limit, messagingLimitAt: at }, sql`WHERE ${condition}`),
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

export function markUnreachable(ctx: Ctx, id: string, condition: SQL, detail = NO_USABLE_ANSWER): SQL[] {
  const now = ctx.now();
  return changeConnectionStatus(
    ctx,
    {
      status: "error",
      statusDetail: detail,
      statusAt: now,
      unreachableSince: now,
      retestAt: now + retestPauseMs(0),
    },
    sql`${isConnection(ctx, id)} AND ${c.status} = 'active' AND ${c.deletedAt} IS NULL AND ${condition}`,
  );
}

export async function markTestFailed(ctx: Ctx, id: string, detail: string): Promise<void> {
  await transact(ctx.db, { status: markUnreachable(ctx, id, sql`TRUE`, detail) });
}

/**
 * Makes the connection active again if it is unreachable. A connection with another error stays unchanged, because a
 * successful call does not solve that error.
 */
export const clearUnreachable = (ctx: Ctx, id: SQL, condition: SQL): SQL[] =>
  changeConnectionStatus(
    ctx,
    { status: "active", statusDetail: null, statusAt: ctx.now(), ...REACHABLE },
    sql`${isConnection(ctx, id)} AND ${c.unreachableSince} IS NOT NULL AND ${condition}`,
  );

export async function markReachable(ctx: Ctx, id: string): Promise<void> {
  await transact(ctx.db, { status: clearUnreachable(ctx, sql`${id}`, sql`TRUE`) });
}

/** The same as `retestPauseMs`, in SQL. D1 binds numbers as reals, so CAST truncates the quotient. */
export const retestPauseMsSql = (outageMs: SQL): SQL =>
  sql`min(${LONGEST_PAUSE_MS}, max(${SHORTEST_PAUSE_MS}, CAST(${outageMs} / ${SHARE_OF_OUTAGE} AS INTEGER)))`;

export const claimRetests = (db: Database, now: number, limit: number): Promise<string[]> =>
  claimDueConnections(db, connections.retestAt, { now, limit }, isNotNull(connections.unreachableSince), {
    retestAt: sql`${now} + ${retestPauseMsSql(sql`(${now} - ${c.unreachableSince})`)}`,
  });
