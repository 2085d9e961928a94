import { fetchRows } from "../../../db/statement.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import type { RunJobsMessage } from "./bulk.schemas.ts";
import { deleteJobsBefore, selectWorkspacesWithJobs } from "./sweep-jobs.sql.ts";

const WORKSPACES_PER_RUN = 1000;
const KEPT_MS = 30 * DAY_MS;

/** Queues the workspaces of a shard with running jobs: a queue message of theirs may have been lost. */
export async function sweepJobs(base: BaseCtx, shard: number): Promise<void> {
  const found = await fetchRows(base.shard(shard), selectWorkspacesWithJobs(WORKSPACES_PER_RUN));
  if (found.length === 0) return;
  await base.queues.jobs(found.map(({ id, number }): RunJobsMessage => ({ v: 1, workspace: { id, number, shard } })));
}

/** Deletes finished jobs that nobody asks for any more. */
export const deleteOldJobs = (base: BaseCtx, shard: number): Promise<void> =>
  deleteJobsBefore(base.shard(shard), base.newId("job", base.now() - KEPT_MS));
