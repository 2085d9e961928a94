import { and, eq, inArray, lt, max, sql } from "drizzle-orm";
import * as z from "zod";
import { eventChunks } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Database } from "../../shared/context.ts";
import { walkWorkspaces } from "./walk-workspaces.sql.ts";

const workspaceRow = z.object({ id: z.string() });

/** Workspaces whose oldest event is from before `before`. Raw, because the builder has no recursive CTE. */
export const selectWorkspacesWithOldEvents = (before: number, limit: number): Statement<z.infer<typeof workspaceRow>> =>
  statement(
    workspaceRow,
    sql`
      ${walkWorkspaces("event_chunks")}
      SELECT id FROM walked
      WHERE (SELECT at FROM event_chunks c WHERE c.workspace_id = walked.id ORDER BY first LIMIT 1) < ${before}
      LIMIT ${limit}`,
  );

/** Deletes the oldest chunks from before `before`, never the newest one; gives how many. */
export async function deleteOldChunks(
  db: Database,
  workspaceId: string,
  before: number,
  limit: number,
): Promise<number> {
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
