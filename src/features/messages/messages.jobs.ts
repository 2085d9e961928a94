import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { deliverConversation } from "./deliver/deliver-thread.ts";
import { pointer } from "./messages.schemas.ts";

/** Sends what is due in the conversation a queue message points to; finding nothing is fine. */
export async function deliverPointer(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, contactSeq, connectionId } = pointer.parse(message);
  await deliverConversation(forWorkspace(base, workspace), { contactSeq, connectionId });
}
