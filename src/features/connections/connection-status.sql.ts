// An expired token arrives here, as every notice of a provider does: each statement that changes a connection's status is in this file.
import { sql } from "drizzle-orm";
import * as z from "zod";
import type { ConnectionNotice } from "../../channels/channel.ts";
import { fetchRows, type SQL, statement } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { LONGEST_PAUSE_MS, pauseMs, SHARE_OF_OUTAGE, SHORTEST_PAUSE_MS } from "./connections.retests.ts";

const isConnection = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/**
 * Stores what a provider said of a connection at `at`; older notices and repeats change nothing. A notice without a status is
 * a detail of a connection that works, and never hides why another does not. A provider that says something can be reached.
 */
export const noteConnection = (ctx: Ctx, id: string, { status, detail }: ConnectionNotice, at: number): SQL => {
  const isOlder = sql`${isConnection(ctx, id)} AND deleted_at IS NULL AND coalesce(status_at, 0) <= ${at}`;
  return status === null
    ? sql`UPDATE connections SET status_detail = ${detail} WHERE ${isOlder} AND status = 'active' AND status_detail IS NOT ${detail}`
    : sql`
      UPDATE connections SET status = ${status}, status_detail = ${detail}, status_at = ${at},
        unreachable_since = NULL, retest_at = NULL
      WHERE ${isOlder} AND (status, status_detail, status_at) IS NOT (${status}, ${detail}, ${at})`;
};

/** Stores what a provider said of a connection at `at`, unless something later is known. */
export async function applyNotice(ctx: Ctx, id: string, notice: ConnectionNotice, at: number): Promise<void> {
  await ctx.db.run(noteConnection(ctx, id, notice, at));
}

const NO_USABLE_ANSWER =
  "The provider gave no usable answer to several messages in a row. The connection is tested until it does.";

/** Marks an active connection as unreachable, where `condition` holds; it is tested from then on. */
export const noteUnreachable = (ctx: Ctx, id: string, condition: SQL, detail = NO_USABLE_ANSWER): SQL => sql`
  UPDATE connections SET status = 'error', status_detail = ${detail}, status_at = ${ctx.now()},
    unreachable_since = ${ctx.now()}, retest_at = ${ctx.now() + pauseMs(0)}
  WHERE ${isConnection(ctx, id)} AND status = 'active' AND deleted_at IS NULL AND ${condition}`;

/** As `noteUnreachable`, after a test that got no usable answer. */
export async function markTestFailed(ctx: Ctx, id: string, detail: string): Promise<void> {
  await ctx.db.run(noteUnreachable(ctx, id, sql`TRUE`, detail));
}

/** Makes a connection active whose provider could not be reached, where `condition` holds. Other errors stay. */
export const liftUnreachable = (ctx: Ctx, id: SQL, condition: SQL): SQL => sql`
  UPDATE connections SET status = 'active', status_detail = NULL, status_at = ${ctx.now()},
    unreachable_since = NULL, retest_at = NULL
  WHERE ${isConnection(ctx, id)} AND unreachable_since IS NOT NULL AND ${condition}`;

/** As `liftUnreachable`, after a test that was answered. */
export async function markReachable(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(liftUnreachable(ctx, sql`${id}`, sql`TRUE`));
}

/** `pauseMs` in SQL: connections that are due have been away for different times. Numbers are bound as reals, so it is cut here. */
export const pauseMsSql = (outageMs: SQL): SQL =>
  sql`min(${LONGEST_PAUSE_MS}, max(${SHORTEST_PAUSE_MS}, CAST(${outageMs} / ${SHARE_OF_OUTAGE} AS INTEGER)))`;

/** Takes the connections of any workspace that are to be tested by now, and puts off their next test. */
export async function claimRetests(db: Database, now: number, limit: number): Promise<string[]> {
  const pause = pauseMsSql(sql`(${now} - unreachable_since)`);
  const claimed = statement(
    z.object({ id: z.string() }),
    sql`
    UPDATE connections SET retest_at = ${now} + ${pause}
    WHERE id IN (SELECT id FROM connections WHERE retest_at <= ${now} ORDER BY retest_at LIMIT ${limit})
      AND retest_at <= ${now} AND unreachable_since IS NOT NULL AND deleted_at IS NULL
    RETURNING id`,
  );
  return (await fetchRows(db, claimed)).map(({ id }) => id);
}
