import { and, eq, inArray, lt, max, sql } from "drizzle-orm";
import * as z from "zod";
import { eventChunks } from "../../db/schema/index.ts";
import { fetchRows, statement } from "../../db/statement.ts";
import type { BaseCtx, Database } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { walkWorkspaces } from "./event-log.sql.ts";

const workspaceRow = z.object({ id: z.string() });

const selectWorkspacesWithOldEvents = (before: number, limit: number) =>
  statement(
    workspaceRow,
    sql`
      ${walkWorkspaces(eventChunks)}
      SELECT id FROM walked
      WHERE (SELECT ${eventChunks.at} FROM ${eventChunks} WHERE ${eventChunks.workspaceId} = walked.id
        ORDER BY ${eventChunks.first} LIMIT 1) < ${before}
      LIMIT ${limit}`,
  );

/** The newest chunk must stay, because the next sequence number is computed from it. */
async function deleteOldChunks(db: Database, workspaceId: string, before: number, limit: number): Promise<number> {
  const isOfWorkspace = eq(eventChunks.workspaceId, workspaceId);
  const newest = db
    .select({ first: max(eventChunks.first) })
    .from(eventChunks)
    .where(isOfWorkspace);
  const old = db
    .select({ first: eventChunks.first })
    .from(eventChunks)
    .where(and(isOfWorkspace, lt(eventChunks.first, newest), lt(eventChunks.at, before)))
    .orderBy(eventChunks.first)
    .limit(limit);
  const { meta } = await db.delete(eventChunks).where(and(isOfWorkspace, inArray(eventChunks.first, old)));
  return meta.changes;
}

const EVENTS_KEPT_MS = 30 * DAY_MS;

/** A run reads at least one row of each workspace, so it runs only once an hour. */
const MINUTE_OF_HOUR = 17;

const WORKSPACES_PER_RUN = 1000;
/**
 * Other requests wait while the database executes a statement, so each statement deletes a limited number of chunks.
 */
const CHUNKS_AT_ONCE = 500;
const STATEMENTS_PER_RUN = 200;

export async function deleteOldEvents(base: BaseCtx, shard: number): Promise<void> {
  if (new Date(base.now()).getUTCMinutes() !== MINUTE_OF_HOUR) return;
  const db = base.shard(shard);
  const before = base.now() - EVENTS_KEPT_MS;
  const workspaces = await fetchRows(db, selectWorkspacesWithOldEvents(before, WORKSPACES_PER_RUN));
  for (let left = STATEMENTS_PER_RUN; left > 0 && workspaces.length > 0; left--) {
    const workspace = workspaces.shift();
    if (workspace === undefined) return;
    const deleted = await deleteOldChunks(db, workspace.id, before, CHUNKS_AT_ONCE);
    if (deleted === CHUNKS_AT_ONCE) workspaces.push(workspace);
  }
}
