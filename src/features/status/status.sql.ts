import { and, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import { campaigns, deadLetters, eventChunks, messages } from "../../db/schema/index.ts";
import type { Database } from "../../shared/context.ts";
import { state } from "../messages/messages.states.ts";
import { COUNT_LIMIT } from "./status.schemas.ts";

const counted = sql<number>`count(*)`;
const isQueued = eq(messages.state, state.queued);

/** Each query reads a range of a partial index, so its condition on times must equal the condition of the index. */
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
  running: db
    .select({ count: counted })
    .from(campaigns)
    .where(and(gt(campaigns.wakeAt, 0), eq(campaigns.status, "running"))),
  dead: db
    .select({ count: counted, oldest: sql<number | null>`min(created_at)` })
    .from(
      db
        .select({ createdAt: deadLetters.createdAt })
        .from(deadLetters)
        .where(gt(deadLetters.createdAt, 0))
        .orderBy(deadLetters.createdAt)
        .limit(COUNT_LIMIT)
        .as("dead"),
    ),
});

export interface WebhookPosition {
  id: string;
  workspaceId: string;
  /** The sequence number of the first unsent event. */
  next: number;
}

/** Selects the webhook if its next event was logged before `before`. Reads one chunk. */
export const selectIfOverdue = (db: Database, { id, workspaceId, next }: WebhookPosition, before: number) => {
  const chunk = db
    .select({ at: eventChunks.at, end: sql<number>`${eventChunks.first} + ${eventChunks.count}`.as("end") })
    .from(eventChunks)
    .where(and(eq(eventChunks.workspaceId, workspaceId), lte(eventChunks.first, next)))
    .orderBy(desc(eventChunks.first))
    .limit(1)
    .as("chunk");
  return db
    .select({ id: sql<string>`${id}` })
    .from(chunk)
    .where(and(lt(chunk.at, before), gt(chunk.end, next)));
};
