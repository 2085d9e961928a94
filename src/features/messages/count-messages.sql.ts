import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { statement, timedTransact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";

/** Kept as JSON by the workspace's turn, so that its columns need no conversion. */
export const messageGroup = z.object({
  day: z.number().nullable(),
  from_contact: z.number().nullable(),
  state: z.number().nullable(),
  count: z.number(),
  reached: z.number(),
});

/**
 * Counts messages from `firstId` on that were no campaign's, by day (UTC, in days since the epoch), direction and state.
 * No index knows a workspace's messages by time, and one would cost each message a row. But recent messages are in recent
 * conversations: those are read, latest first, up to `most` rows, one at least for each. `reached` is the time of the last
 * message in the oldest conversation that was read: messages after it have all been counted.
 */
export async function countByDay(ctx: Ctx, since: number, firstId: string, most: number) {
  const conversationsIn = (status: string) => sql`
    SELECT id, last_message_at AS at FROM conversations
    WHERE workspace_id = ${ctx.workspace.id} AND status = ${status} AND last_message_at >= ${since}`;
  const groups = statement(
    messageGroup,
    sql`
      WITH recent AS (${conversationsIn("open")} UNION ALL ${conversationsIn("snoozed")} UNION ALL ${conversationsIn("done")} ORDER BY at DESC LIMIT ${most}),
      recent_messages AS (
        SELECT recent.at AS at, CAST(m.created_at / ${DAY_MS} AS INTEGER) AS day, m.from_contact AS from_contact, m.state AS state
        FROM recent CROSS JOIN conversations v ON v.id = recent.id
        LEFT JOIN messages m ON m.contact_seq = v.contact_seq AND m.connection_id = v.connection_id
          AND m.id >= ${firstId} AND m.campaign_id IS NULL
        ORDER BY recent.at DESC LIMIT ${most})
      SELECT day, from_contact, state, count(*) AS count, min(at) AS reached FROM recent_messages GROUP BY day, from_contact, state`,
  );
  const { rows, sqlMs } = await timedTransact(ctx.db, { groups });
  return { groups: rows.groups, sqlMs };
}
