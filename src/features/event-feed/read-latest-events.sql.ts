// The log read backwards, for people, and by time.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { nextSequence, oldestSequence } from "../events/log-bounds.sql.ts";
import { type EventRow, isOfTypes, ofChunkWith, type PageBound, pageColumns, selectPage } from "./read-events.sql.ts";

/** Events before a sequence number, of these types, or of all where null; the last `limit` of them, newest first. Examines `most`. */
export const selectEventsBefore = (
  ctx: Ctx,
  { before, most, types, limit }: { before: number; most: number; types: readonly string[] | null; limit: number },
  bound: PageBound,
): Statement<EventRow> =>
  selectPage(
    ctx,
    bound,
    limit,
    sql`
      bounds AS MATERIALIZED (
        SELECT min(${before}, ${nextSequence(sql`${ctx.workspace.id}`)}) AS before),
      page AS (
        SELECT ${pageColumns(sql`c.first + e.key`, sql`e.value`)}
        FROM event_chunks c CROSS JOIN json_each(c.body) e
        WHERE c.workspace_id = ${ctx.workspace.id} AND c.first < (SELECT before FROM bounds)
          AND c.first >= coalesce(${ofChunkWith(ctx, sql`(SELECT before - ${most} FROM bounds)`, sql`first`)}, 0)
          AND c.first + e.key < (SELECT before FROM bounds)
          AND c.first + e.key >= (SELECT before - ${most} FROM bounds) AND ${isOfTypes(types)}
        ORDER BY c.first DESC, e.key DESC LIMIT ${limit})`,
  );

const placeRow = z.object({ sequence: z.number() });

/**
 * One row: the sequence number of the first event at this time or later, or the one that the next event will have. The log is in
 * the order of time, so half of what is left is left out at each step.
 */
export function selectPlaceOfTime(ctx: Ctx, at: number): Statement<z.infer<typeof placeRow>> {
  const middle = sql`(low + high) / 2`;
  const isBefore = sql`${ofChunkWith(ctx, middle, sql`at`)} < ${at}`;
  return statement(
    placeRow,
    sql`
      WITH RECURSIVE halves (low, high) AS (
        SELECT ${oldestSequence(sql`${ctx.workspace.id}`)}, ${nextSequence(sql`${ctx.workspace.id}`)}
        UNION ALL
        SELECT iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) FROM halves WHERE low < high)
      SELECT max(low) AS sequence FROM halves`,
  );
}
