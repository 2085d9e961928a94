import { and, desc, eq, lt, sql } from "drizzle-orm";
import { jobs } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { JobRecord } from "./bulk.schemas.ts";

const columns = {
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

const inWorkspace = (ctx: Ctx) => eq(jobs.workspaceId, ctx.workspace.id);

export const selectJob = (ctx: Ctx, id: string) =>
  ctx.db
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), inWorkspace(ctx)));

/** Newest first, up to `limit` + 1 rows. A bound status would keep SQLite from using the index of running jobs. */
export const selectJobs = (
  ctx: Ctx,
  { status, limit, before }: { status: JobRecord["status"] | undefined; limit: number; before: string | undefined },
) =>
  ctx.db
    .select(columns)
    .from(jobs)
    .where(
      and(
        inWorkspace(ctx),
        before === undefined ? undefined : lt(jobs.id, before),
        status === undefined ? undefined : sql`${jobs.status} = ${sql.raw(`'${status}'`)}`,
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(limit + 1);

/** The job as JSON in `result`. Raw, because stored responses are JSON. */
export const jobAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object('id', id, 'action', action, 'status', status, 'total', total, 'done', done, 'failed', failed, 'error', json(error),
    'created_at', created_at, 'finished_at', finished_at) AS result
  FROM jobs WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;
