import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { runJobsMessage } from "./bulk.schemas.ts";
import { runJobs } from "./run-bulk.ts";

/** Continues the running jobs of a workspace, if any. */
export async function consumeJobs(base: BaseCtx, message: unknown): Promise<void> {
  await runJobs(forWorkspace(base, runJobsMessage.parse(message).workspace));
}
