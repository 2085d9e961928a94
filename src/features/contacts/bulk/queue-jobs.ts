import { and, lt, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Ctx, BaseCtx, Database } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { RunJobsMessage } from "./bulk.schemas.ts";
import { fetchRows, statement } from "../../../db/statement.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { columns } from "../../../db/columns.ts";
import { jobs } from "../../../db/schema/index.ts";

/** Only logs an error, because the sweep later queues every workspace with running jobs. */
export async function enqueueJobs(ctx: Ctx): Promise<void> {
  try {
    await ctx.queues.jobs([{ v: 1, workspace: ctx.workspace } satisfies RunJobsMessage]);
  } catch (error) {
    log.error("jobs_not_queued", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, error });
  }
}

const job = columns(jobs);

const workspaceRow = z.object({ id: z.string(), number: z.number() });

/** Raw SQL: the builder has no INDEXED BY. */
const selectWorkspacesWithJobs = (limit: number) =>
  statement(
    workspaceRow,
    sql`
      SELECT DISTINCT ${job.workspaceId} AS id, ${job.workspaceNumber} AS number FROM jobs INDEXED BY jobs_running
      WHERE ${job.workspaceId} > '' AND ${job.status} = 'running' LIMIT ${limit}`,
  );

const deleteJobsBefore = (db: Database, id: string): Promise<void> =>
  deleteInChunks(db, jobs, and(lt(jobs.id, id), ne(jobs.status, "running")));

const WORKSPACES_PER_RUN = 1000;
const KEPT_MS = 30 * DAY_MS;

/** Queues workspaces with running jobs, because queue messages can be lost. */
export async function sweepJobs(base: BaseCtx, shard: number): Promise<void> {
  const found = await fetchRows(base.shard(shard), selectWorkspacesWithJobs(WORKSPACES_PER_RUN));
  if (found.length === 0) return;
  await base.queues.jobs(found.map(({ id, number }): RunJobsMessage => ({ v: 1, workspace: { id, number, shard } })));
}

export const deleteOldJobs = (base: BaseCtx, shard: number): Promise<void> =>
  deleteJobsBefore(base.shard(shard), base.newId("job", base.now() - KEPT_MS));
