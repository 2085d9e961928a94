import { sql } from "../../db/sql.ts";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import type { Database } from "../../shared/context.ts";
import { walkWorkspaces } from "./walk-workspaces.sql.ts";

const workspaceRow = z.object({ id: z.string() });

/** Workspaces whose oldest event is from before `before`. */
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
  const newest = sql`(SELECT max(first) FROM event_chunks WHERE workspace_id = ${workspaceId})`;
  const { meta } = await db.run(sql`
    DELETE FROM event_chunks WHERE workspace_id = ${workspaceId} AND first IN (
      SELECT first FROM event_chunks WHERE workspace_id = ${workspaceId} AND first < ${newest} AND at < ${before}
      ORDER BY first LIMIT ${limit})`);
  return meta.changes;
}
