import { and, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import { campaigns, connections, deadLetters, eventChunks, messages } from "../../db/schema/index.ts";
import type { Database } from "../../shared/context.ts";
import { SCHEDULED } from "../messages/messages.sql.ts";
import { state } from "../messages/messages.states.ts";
import { COUNT_LIMIT, LIST_LIMIT } from "./status.schemas.ts";

const counted = sql<number>`count(*)`;
const isQueued = eq(messages.state, state.queued);

const oldestDead = (db: Database) =>
  db
    .select({ workspaceId: deadLetters.workspaceId, createdAt: deadLetters.createdAt })
    .from(deadLetters)
    .where(gt(deadLetters.createdAt, 0))
    .orderBy(deadLetters.createdAt)
    .limit(COUNT_LIMIT)
    .as("dead");

/**
 * Each query reads a range of an index. SQLite uses a partial index only if the query repeats the condition of the
 * index with literals instead of bound values.
 */
export const shardQueries = (db: Database, now: number) => ({
  queued: db.select({ count: counted }).from(
    db
      .select({ at: messages.nextAttemptAt })
      .from(messages)
      .where(and(gt(messages.nextAttemptAt, 0), isQueued))
      .limit(COUNT_LIMIT)
      .as("queued"),
  ),
  oldestDue: db
    .select({ at: messages.nextAttemptAt })
    .from(messages)
    .where(and(lte(messages.nextAttemptAt, now), isQueued))
    .orderBy(messages.nextAttemptAt)
    .limit(1),
  dueScheduled: db.select({ count: counted, oldest: sql<number | null>`min(send_at)` }).from(
    db
      .select({ sendAt: messages.sendAt })
      .from(messages)
      .where(and(sql`${messages.state} = ${SCHEDULED}`, lte(messages.sendAt, now)))
      .orderBy(messages.sendAt)
      .limit(COUNT_LIMIT)
      .as("due_scheduled"),
  ),
  failing: db
    .select({ workspace_id: connections.workspaceId, id: connections.id, status: connections.status })
    .from(connections)
    .where(sql`${connections.statusAt} > 0 AND ${connections.status} <> 'active' AND ${connections.deletedAt} IS NULL`)
    .orderBy(desc(connections.statusAt))
    .limit(LIST_LIMIT),
  stopped: db
    .select({ workspace_id: campaigns.workspaceId, id: campaigns.id, last_error: campaigns.lastError })
    .from(campaigns)
    .where(sql`${campaigns.id} > '' AND ${campaigns.status} = 'paused' AND ${campaigns.lastError} IS NOT NULL`)
    .orderBy(desc(campaigns.id))
    .limit(LIST_LIMIT),
  running: db
    .select({ count: counted })
    .from(campaigns)
    .where(and(gt(campaigns.wakeAt, 0), eq(campaigns.status, "running"))),
  dead: db.select({ count: counted, oldest: sql<number | null>`min(created_at)` }).from(oldestDead(db)),
  deadOf: db
    .selectDistinct({ id: sql<string>`workspace_id` })
    .from(oldestDead(db))
    .limit(LIST_LIMIT),
});

export interface WebhookPosition {
  id: string;
  workspaceId: string;
  /** The sequence number of the first unsent event. */
  next: number;
}

/** Selects the webhook if its next event was logged before `before`. Reads only the chunk that contains this event. */
export const selectIfOverdue = (db: Database, { id, workspaceId, next }: WebhookPosition, before: number) => {
  const chunk = db
    .select({ at: eventChunks.at, end: sql<number>`${eventChunks.first} + ${eventChunks.count}`.as("end") })
    .from(eventChunks)
    .where(and(eq(eventChunks.workspaceId, workspaceId), lte(eventChunks.first, next)))
    .orderBy(desc(eventChunks.first))
    .limit(1)
    .as("chunk");
  return db
    .select({ workspace_id: sql<string>`${workspaceId}`.as("workspace_id"), id: sql<string>`${id}`.as("id") })
    .from(chunk)
    .where(and(lt(chunk.at, before), gt(chunk.end, next)));
};
