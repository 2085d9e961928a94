import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { deliverThread } from "./deliver/deliver-thread.ts";
import { deliverThreadJob } from "./messages.schemas.ts";

/** Sends what is due in the thread that a queue message names. Finding nothing is fine: another run sent it. */
export async function runDeliverThreadJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, contactSeq, connectionId } = deliverThreadJob.parse(message);
  await deliverThread(forWorkspace(base, workspace), { contactSeq, connectionId });
}
