import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { deliverThreadJob } from "../../shared/thread-jobs.ts";
import { deliverThread } from "./deliver/deliver-thread.ts";

/** Sends the thread's due messages. Another run may have sent them already. */
export async function runDeliverThreadJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, contactSeq, connectionId, releases } = deliverThreadJob.parse(message);
  await deliverThread(forWorkspace(base, workspace), { contactSeq, connectionId }, { releases });
}
