import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { receiveMessage } from "../messages/receive-message.ts";
import { type ReportedStatus, settleStatuses } from "../messages/settle-messages.ts";
import { optOutWord } from "./inbound.opt-out.ts";
import { insertDeadLetter } from "./inbound.repository.ts";
import type { EventMessage } from "./inbound.schemas.ts";

/** Applies provider events, in any order and any number of times: all statuses of a shard at once, messages one by one. */
export async function handleEvents(base: BaseCtx, messages: EventMessage[]): Promise<void> {
  const statuses = new Map<number, ReportedStatus[]>();
  for (const { workspace, connectionId, event } of messages) {
    if (event.type === "message") {
      await receiveMessage(forWorkspace(base, workspace), { connectionId, event, word: optOutWord(event.body) });
    } else {
      const reports = statuses.get(workspace.shard) ?? [];
      statuses.set(workspace.shard, [...reports, { workspace, connectionId, event }]);
    }
  }
  for (const [shard, reports] of statuses) await settleStatuses(base, shard, reports);
}

/** Keeps an event that was retried in vain. */
export const storeDeadEvent = (ctx: Ctx, payload: unknown): Promise<void> =>
  insertDeadLetter(ctx, { queue: "events", reason: "The event failed every time it was tried.", payload });
