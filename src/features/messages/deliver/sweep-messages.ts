import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns, updateSet } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../../db/statement.ts";
import type { BaseCtx, Database } from "../../../shared/context.ts";
import { createDeliverThreadJob } from "../../../shared/thread-jobs.ts";
import { workspaceNumberFromSeq } from "../../contacts/contacts.sql.ts";
import { isHiddenReaction, SCHEDULED } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { RELEASED_WITHIN_MS } from "./queue-threads.ts";
import { recordMoves } from "../settle/record-moves.sql.ts";

const m = columns(messages, "m");
const older = columns(messages, "older");

/**
 * A run expires at most this many claims, because its events must fit in one row of the event log for each workspace.
 */
const MAX_GIVEN_UP = 5000;

async function expireClaims(db: Database, claimedBefore: number, now: number): Promise<void> {
  // Every claimed message was due. The condition on `next_attempt_at` only makes SQLite use the index `messages_due`.
  const lost = sql`
    FROM messages WHERE next_attempt_at <= ${claimedBefore} AND state = ${state.claimed} AND claimed_at <= ${claimedBefore}
    ORDER BY next_attempt_at, id LIMIT ${MAX_GIVEN_UP}`;
  const moves = sql`
    SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.unknown} AS to_state, type, from_contact ${lost}`;
  const visible = sql`SELECT * FROM (${moves}) m WHERE NOT ${isHiddenReaction(m)}`;
  await transact(db, {
    record: recordMoves(visible, { by: "system", now, hasCampaigns: false }),
    unknown: updateSet(messages, { state: state.unknown, nextAttemptAt: null }, sql`WHERE id IN (SELECT id ${lost})`),
  });
}

const strandedThread = z.object({ workspaceId: z.string(), contactSeq: z.number(), connectionId: z.string() });

/**
 * Selects threads with due messages that no run is sending. Skips a message if an older one waits for its first
 * attempt, because messages are sent in order.
 */
const findStrandedThreads = (
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

const findScheduledThreads = (
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

const CLAIM_MS = 120_000;
/**
 * A request normally sends its message within this time after the response. The sweep skips newer messages, so that it
 * does not repeat this work.
 */
const GRACE_MS = 15_000;
const MAX_THREADS = 5000;

export async function sweepMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await expireClaims(db, base.now() - CLAIM_MS, base.now());
  if (!base.sends) return;
  const threads = await findStrandedThreads(db, base.now() - GRACE_MS, MAX_THREADS);
  await base.queues.direct(
    threads.map(({ workspaceId, ...thread }) =>
      createDeliverThreadJob({ id: workspaceId, number: workspaceNumberFromSeq(thread.contactSeq), shard }, thread),
    ),
  );
  await queueReleases(base, shard);
}

async function queueReleases(base: BaseCtx, shard: number): Promise<void> {
  const due = await findScheduledThreads(base.shard(shard), base.now() + RELEASED_WITHIN_MS, MAX_THREADS);
  const bySecond = new Map<number, object[]>();
  for (const { workspaceId, sendAt, ...thread } of due) {
    const workspace = { id: workspaceId, number: workspaceNumberFromSeq(thread.contactSeq), shard };
    const second = Math.ceil(Math.max(0, sendAt - base.now()) / 1000);
    const jobs = bySecond.get(second) ?? [];
    jobs.push(createDeliverThreadJob(workspace, thread, { releases: true }));
    bySecond.set(second, jobs);
  }
  for (const [second, jobs] of bySecond) await base.queues.direct(jobs, { delayMs: second * 1000 });
}
