import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { RunJobsMessage } from "./bulk.schemas.ts";

/** Queues the jobs of the workspace. Never throws, because the sweep finds workspaces with running jobs. */
export async function enqueueJobs(ctx: Ctx): Promise<void> {
  try {
    await ctx.queues.jobs([{ v: 1, workspace: ctx.workspace } satisfies RunJobsMessage]);
  } catch (error) {
    log.error("jobs_not_queued", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, error });
  }
}
