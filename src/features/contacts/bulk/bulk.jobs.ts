import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { runJobsMessage } from "./bulk.schemas.ts";
import { runJobs } from "./run-bulk.ts";

/** Goes on with the jobs of the workspace that a queue message names; one without running jobs is fine. */
export async function consumeJobs(base: BaseCtx, message: unknown): Promise<void> {
  await runJobs(forWorkspace(base, runJobsMessage.parse(message).workspace));
}
