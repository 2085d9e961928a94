import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { LONGEST_PAUSE_MS, pauseMs, SHARE_OF_OUTAGE, SHORTEST_PAUSE_MS } from "./connections.retests.ts";

const DETAIL =
  "The provider gave no usable answer to several messages in a row. The connection is tested until it does.";

/** Has an active connection show that its provider cannot be reached, where `condition` holds, and tested from then on. */
export const noteUnreachable = (ctx: Ctx, id: string, condition: SQL, detail = DETAIL): SQL => sql`
  UPDATE connections SET status = 'error', status_detail = ${detail}, status_at = ${ctx.now()},
    unreachable_since = ${ctx.now()}, retest_at = ${ctx.now() + pauseMs(0)}
  WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND status = 'active' AND deleted_at IS NULL AND ${condition}`;

/** Makes a connection active again whose provider could not be reached, where `condition` holds. Other errors stay. */
export const liftUnreachable = (ctx: Ctx, id: SQL, condition: SQL): SQL => sql`
  UPDATE connections SET status = 'active', status_detail = NULL, status_at = ${ctx.now()},
    unreachable_since = NULL, retest_at = NULL
  WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND unreachable_since IS NOT NULL AND ${condition}`;

const due = z.array(z.object({ id: z.string() }));

/** `pauseMs` in SQL: connections that are due have been away for different times. Numbers are bound as reals, so it is cut here. */
export const pauseMsSql = (outageMs: SQL): SQL =>
  sql`min(${LONGEST_PAUSE_MS}, max(${SHORTEST_PAUSE_MS}, CAST(${outageMs} / ${SHARE_OF_OUTAGE} AS INTEGER)))`;

/** Takes the connections of any workspace that are to be tested by now, and puts off their next test. */
export async function claimRetests(db: Database, now: number, limit: number): Promise<string[]> {
  const pause = pauseMsSql(sql`(${now} - unreachable_since)`);
  const rows = await db.all(sql`
    UPDATE connections SET retest_at = ${now} + ${pause}
    WHERE id IN (SELECT id FROM connections WHERE retest_at <= ${now} ORDER BY retest_at LIMIT ${limit})
      AND retest_at <= ${now} AND unreachable_since IS NOT NULL AND deleted_at IS NULL
    RETURNING id`);
  return due.parse(rows).map(({ id }) => id);
}

/** As `noteUnreachable`, after a test that got no usable answer. */
export async function noteFailedTest(ctx: Ctx, id: string, detail: string): Promise<void> {
  await ctx.db.run(noteUnreachable(ctx, id, sql`TRUE`, detail));
}

export async function lift(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(liftUnreachable(ctx, sql`${id}`, sql`TRUE`));
}
