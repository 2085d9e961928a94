import * as z from "zod";
import type { OldRows } from "../../../db/delete-in-chunks.ts";
import { sql } from "../../../db/sql.ts";
import { statement, type Statement } from "../../../db/statement.ts";

const workspaceRow = z.object({ id: z.string(), number: z.number() });

/** Workspaces of a shard with running jobs. */
export const selectWorkspacesWithJobs = (limit: number): Statement<z.infer<typeof workspaceRow>> =>
  statement(
    workspaceRow,
    sql`
      SELECT DISTINCT workspace_id AS id, workspace_number AS number FROM jobs INDEXED BY jobs_running
      WHERE workspace_id > '' AND status = 'running' LIMIT ${limit}`,
  );

/** Jobs that began before the one with this id, and have ended. */
export const finishedJobsBefore = (id: string): OldRows => ({
  table: "jobs",
  key: "id",
  condition: sql`id < ${id} AND status <> 'running'`,
});
