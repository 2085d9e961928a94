import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { eventChunks, type eventOutbox } from "../../db/schema/index.ts";

const o = columns(eventChunks, "o");
const n = columns(eventChunks, "n");

/** Costs one key look-up. Returns 1 if the log is empty. */
export const oldestSequence = (workspaceId: SQL): SQL<number> => sql<number>`coalesce((
  SELECT ${o.first} FROM event_chunks o WHERE ${o.workspaceId} = ${workspaceId} ORDER BY ${o.first} LIMIT 1), 1)`;

/** Costs one key look-up. The newest chunk is never deleted, so no number is used twice. */
export const nextSequence = (workspaceId: SQL): SQL<number> => sql<number>`coalesce((
  SELECT ${n.first} + ${n.count} FROM event_chunks n WHERE ${n.workspaceId} = ${workspaceId} ORDER BY ${n.first} DESC LIMIT 1), 1)`;

export const newestSequence = (workspaceId: SQL): SQL<number> => sql<number>`(${nextSequence(workspaceId)} - 1)`;

/**
 * Defines the CTE `walked`, which lists all workspaces with rows in `table`. The key of the table begins with the
 * workspace, so each step finds the next workspace with one look-up.
 */
export const walkWorkspaces = (table: typeof eventChunks | typeof eventOutbox): SQL => sql`
  WITH RECURSIVE steps (id) AS (
    SELECT min(${table.workspaceId}) FROM ${table}
    UNION ALL SELECT (SELECT min(${table.workspaceId}) FROM ${table} WHERE ${table.workspaceId} > steps.id) FROM steps WHERE steps.id IS NOT NULL),
  walked AS (SELECT id FROM steps WHERE id IS NOT NULL)`;
