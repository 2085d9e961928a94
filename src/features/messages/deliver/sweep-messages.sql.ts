import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../../../shared/context.ts";
import { state } from "../messages.states.ts";

const line = z.object({ workspace_id: z.string(), contact_seq: z.number(), connection_id: z.string() });

export type StrandedLine = z.infer<typeof line>;

/** Claims nobody settled become `unknown`: their call may have been made. */
export async function abandonClaims(db: Database, claimedBefore: number): Promise<void> {
  await db.run(sql`
    UPDATE messages SET state = ${state.unknown}, next_attempt_at = NULL
    WHERE next_attempt_at <= ${claimedBefore} AND state = ${state.claimed} AND claimed_at <= ${claimedBefore}`);
}

/**
 * Conversations whose messages have been due since before `dueBefore` with nobody sending them; not those whose oldest
 * waits for its slot, for it holds up the others.
 */
export async function strandedLines(db: Database, dueBefore: number, limit: number): Promise<StrandedLine[]> {
  const rows = await db.all(sql`
    SELECT DISTINCT workspace_id, contact_seq, connection_id FROM (
      SELECT workspace_id, contact_seq, connection_id FROM messages m
      WHERE next_attempt_at <= ${dueBefore} AND state = ${state.queued}
        AND NOT EXISTS (
          SELECT 1 FROM messages older INDEXED BY messages_unsettled
          WHERE older.contact_seq = m.contact_seq AND older.connection_id = m.connection_id AND older.id < m.id
            AND older.next_attempt_at > ${dueBefore} AND older.state = ${state.queued} AND older.attempts = 0)
      ORDER BY next_attempt_at LIMIT ${limit})`);
  return z.array(line).parse(rows);
}
