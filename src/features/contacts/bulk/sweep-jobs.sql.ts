import { and, lt, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { jobs } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Database } from "../../../shared/context.ts";

const workspaceRow = z.object({ id: z.string(), number: z.number() });

/** Workspaces of a shard with running jobs. */
export const selectWorkspacesWithJobs = (limit: number): Statement<z.infer<typeof workspaceRow>> =>
  statement(
    workspaceRow,
    sql`
      SELECT DISTINCT workspace_id AS id, workspace_number AS number FROM jobs INDEXED BY jobs_running
      WHERE workspace_id > '' AND status = 'running' LIMIT ${limit}`,
  );

/** Deletes jobs that began before the one with this id, and have ended. */
export const deleteJobsBefore = (db: Database, id: string): Promise<void> =>
  deleteInChunks(db, jobs, and(lt(jobs.id, id), ne(jobs.status, "running")));
