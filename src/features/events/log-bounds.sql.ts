// The first and last sequence numbers of a workspace's log, each with one key lookup.
import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";

/** Of the oldest event; 1 if the log is empty. */
export const oldestSequence = (workspaceId: SQL): SQL<number> =>
  sql<number>`coalesce((SELECT first FROM event_chunks AS oldest WHERE oldest.workspace_id = ${workspaceId} ORDER BY first LIMIT 1), 1)`;

/** Of the next event. The newest chunk is never deleted. */
export const nextSequence = (workspaceId: SQL): SQL<number> =>
  sql<number>`coalesce((SELECT first + count FROM event_chunks AS newest WHERE newest.workspace_id = ${workspaceId} ORDER BY first DESC LIMIT 1), 1)`;

/** Of the newest event; 0 if the log is empty. */
export const newestSequence = (workspaceId: SQL): SQL<number> => sql<number>`(${nextSequence(workspaceId)} - 1)`;
