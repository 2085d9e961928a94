// Finds stranded messages. Raw, because the builder has no INDEXED BY and events are selected from the updated rows.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns, updateSet } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../../db/statement.ts";
import type { Database } from "../../../shared/context.ts";
import { isHiddenReaction, SCHEDULED } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { recordMoves } from "../settle/record-moves.sql.ts";

const m = columns(messages, "m");
const older = columns(messages, "older");

/** Claims expired per sweep: one event log row must hold a workspace's events. The next sweep finds the rest. */
const MAX_GIVEN_UP = 5000;

/** Sets unsettled claims to `unknown`: their call may have been made. */
export async function expireClaims(db: Database, claimedBefore: number, now: number): Promise<void> {
  // `next_attempt_at` is implied, because claims are of due messages; the condition selects the index `messages_due`.
  const lost = sql`
    FROM messages WHERE next_attempt_at <= ${claimedBefore} AND state = ${state.claimed} AND claimed_at <= ${claimedBefore}
    ORDER BY next_attempt_at, id LIMIT ${MAX_GIVEN_UP}`;
  const moves = sql`
    SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.unknown} AS to_state, type, from_contact ${lost}`;
  const shown = sql`SELECT * FROM (${moves}) m WHERE NOT ${isHiddenReaction(m)}`;
  await transact(db, {
    record: recordMoves(shown, { by: "system", now, hasCampaigns: false }),
    unknown: updateSet(messages, { state: state.unknown, nextAttemptAt: null }, sql`WHERE id IN (SELECT id ${lost})`),
  });
}

const strandedThread = z.object({ workspaceId: z.string(), contactSeq: z.number(), connectionId: z.string() });

/**
 * Threads with messages due since before `dueBefore` that no run sends. Excludes threads whose oldest message waits for its first
 * slot, because that message blocks the others.
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
              WHERE ${older.contactSeq} = ${m.contactSeq} AND ${older.connectionId} = ${m.connectionId} AND ${older.id} < ${m.id}
                AND ${older.nextAttemptAt} > ${dueBefore} AND ${older.state} = ${state.queued} AND ${older.attempts} = 0)
          ORDER BY next_attempt_at LIMIT ${limit})`,
    ),
  );

const scheduledThread = strandedThread.extend({ sendAt: z.number() });

/** Threads with messages scheduled until `before`; one row per message. */
export const findScheduledThreads = (
  db: Database,
  before: number,
  limit: number,
): Promise<z.infer<typeof scheduledThread>[]> =>
  fetchRows(
    db,
    statement(
      scheduledThread,
      sql`
        SELECT workspace_id AS workspaceId, contact_seq AS contactSeq, connection_id AS connectionId, send_at AS sendAt
        FROM messages INDEXED BY messages_scheduled WHERE state = ${SCHEDULED} AND send_at <= ${before}
        ORDER BY send_at LIMIT ${limit}`,
    ),
  );
