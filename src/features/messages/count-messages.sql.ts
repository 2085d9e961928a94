import { sql } from "drizzle-orm";
import { timedBatch } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";

/**
 * Counts messages from `firstId` on that were no campaign's, by day (UTC, in days since the epoch), direction and state.
 * No index knows a workspace's messages by time, and one would cost each message a row. But whatever was said lately was
 * said in a conversation of late: those are looked at, latest first, up to `most` rows, one at least for each. `reached`
 * is when something was last said in what was looked at last: what came later has been counted whole.
 */
export async function countByDay(ctx: Ctx, since: number, firstId: string, most: number) {
  const ofStatus = (status: string) => sql`
    SELECT id, last_message_at AS at FROM conversations
    WHERE workspace_id = ${ctx.workspace.id} AND status = ${status} AND last_message_at >= ${since}`;
  const counted = sql`
    WITH recent AS (${ofStatus("open")} UNION ALL ${ofStatus("done")} ORDER BY at DESC LIMIT ${most}),
    said AS (
      SELECT recent.at AS at, CAST(m.created_at / ${DAY_MS} AS INTEGER) AS day, m.from_contact AS from_contact, m.state AS state
      FROM recent CROSS JOIN conversations v ON v.id = recent.id
      LEFT JOIN messages m ON m.contact_seq = v.contact_seq AND m.connection_id = v.connection_id
        AND m.id >= ${firstId} AND m.campaign_id IS NULL
      ORDER BY recent.at DESC LIMIT ${most})
    SELECT day, from_contact, state, count(*) AS count, min(at) AS reached FROM said GROUP BY day, from_contact, state`;
  const { rows, sqlMs } = await timedBatch(ctx.db, [counted]);
  return { groups: rows[0], sqlMs };
}
