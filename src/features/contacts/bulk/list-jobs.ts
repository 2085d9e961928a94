import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { jobs } from "../../../db/schema/index.ts";
import { fetchRows } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { JobRecord } from "./bulk.schemas.ts";
import { requireRow } from "../../commits/change-record.ts";

const job = columns(jobs);

const recordColumns = {
  id: jobs.id,
  action: jobs.action,
  status: jobs.status,
  total: jobs.total,
  done: jobs.done,
  failed: jobs.failed,
  error: jobs.error,
  created_at: jobs.createdAt,
  finished_at: jobs.finishedAt,
};

/** Selects the job as JSON in `result`, because `commitOnce` stores the response as JSON. */
export const jobAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object('id', ${job.id}, 'action', ${job.action}, 'status', ${job.status}, 'total', ${job.total}, 'done', ${job.done}, 'failed', ${job.failed},
    'error', json(${job.error}), 'created_at', ${job.createdAt}, 'finished_at', ${job.finishedAt}) AS result
  FROM jobs WHERE ${job.id} = ${id} AND ${job.workspaceId} = ${ctx.workspace.id}`;

export async function getJob(ctx: Ctx, id: string): Promise<JobRecord> {
  const isJob = and(eq(jobs.id, id), eq(jobs.workspaceId, ctx.workspace.id));
  return requireRow(await fetchRows(ctx.db, ctx.db.select(recordColumns).from(jobs).where(isJob)), "job");
}

/**
 * Newest first, up to `limit` + 1 rows. The status is inlined, because SQLite would not use the index of running jobs
 * with a bound parameter.
 */
export const listJobs = (
  { db, workspace }: Ctx,
  { status, limit, before }: { status: JobRecord["status"] | undefined; limit: number; before: string | undefined },
): Promise<JobRecord[]> =>
  fetchRows(
    db,
    db
      .select(recordColumns)
      .from(jobs)
      .where(
        and(
          eq(jobs.workspaceId, workspace.id),
          before === undefined ? undefined : lt(jobs.id, before),
          status === undefined ? undefined : sql`${jobs.status} = ${sql.raw(`'${status}'`)}`,
        ),
      )
      .orderBy(desc(jobs.id))
      .limit(limit + 1),
  );
