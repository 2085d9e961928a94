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

/**
 * The CTE `walked`: the `id` of each workspace with rows in a table whose key or index begins with it. Each step is one lookup.
 * Raw, because the builder has no recursive CTE.
 */
export function walkWorkspaces(name: "event_chunks" | "event_outbox"): SQL {
  const table = sql.identifier(name);
  return sql`WITH RECURSIVE steps (id) AS (
      SELECT min(workspace_id) FROM ${table}
      UNION ALL SELECT (SELECT min(workspace_id) FROM ${table} WHERE workspace_id > steps.id) FROM steps WHERE steps.id IS NOT NULL),
    walked AS (SELECT id FROM steps WHERE id IS NOT NULL)`;
}
