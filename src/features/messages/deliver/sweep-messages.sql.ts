import { and, eq, lte, sql } from "drizzle-orm";
import * as z from "zod";
import { messages } from "../../../db/schema/index.ts";
import { fetchRows, statement } from "../../../db/statement.ts";
import type { Database } from "../../../shared/context.ts";
import { state } from "../messages.states.ts";

/** Claims that nobody settled become `unknown`: their call may have been made. */
export async function giveUpClaims(db: Database, claimedBefore: number): Promise<void> {
  await db
    .update(messages)
    .set({ state: state.unknown, nextAttemptAt: null })
    .where(
      and(
        // Follows from the others, since claims are of due messages; it lets the index `messages_due` find the rows.
        lte(messages.nextAttemptAt, claimedBefore),
        eq(messages.state, state.claimed),
        lte(messages.claimedAt, claimedBefore),
      ),
    );
}

const strandedThread = z.object({ workspaceId: z.string(), contactSeq: z.number(), connectionId: z.string() });

/**
 * Threads with messages that have been due since before `dueBefore` though no run sends them. A thread whose oldest message waits
 * for its first slot is none of them: that message holds up the others.
 */
export const findStrandedThreads = (
  db: Database,
  dueBefore: number,
  limit: number,
): Promise<z.infer<typeof strandedThread>[]> =>
  fetchRows(
    db,
    statement(
      strandedThread,
      sql`
        SELECT DISTINCT workspace_id AS workspaceId, contact_seq AS contactSeq, connection_id AS connectionId FROM (
          SELECT workspace_id, contact_seq, connection_id FROM messages m
          WHERE next_attempt_at <= ${dueBefore} AND state = ${state.queued}
            AND NOT EXISTS (
              SELECT 1 FROM messages older INDEXED BY messages_unsettled
              WHERE older.contact_seq = m.contact_seq AND older.connection_id = m.connection_id AND older.id < m.id
                AND older.next_attempt_at > ${dueBefore} AND older.state = ${state.queued} AND older.attempts = 0)
          ORDER BY next_attempt_at LIMIT ${limit})`,
    ),
  );
