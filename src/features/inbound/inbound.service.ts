import type { ChannelEvent } from "../../channels/channel.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { applyNotice } from "../connections/connections.service.ts";
import { receiveMessage } from "../messages/receive-message.ts";
import { receiveOwnMessage } from "../messages/receive-own-message.ts";
import { receivePreference } from "../messages/receive-preference.ts";
import { type ReportedStatus, settleStatuses } from "../messages/settle-statuses.ts";
import { judgeTemplate } from "../templates/sync-templates.ts";
import { optOutWord, stopsMarketing } from "./inbound.opt-out.ts";
import type { EventMessage } from "./inbound.schemas.ts";
import { hasOwn } from "../../shared/own.ts";

type SingleEvent = Exclude<ChannelEvent, { type: "status" }>;

async function handleEvent(ctx: Ctx, connectionId: string, event: SingleEvent): Promise<void> {
  switch (event.type) {
    case "message":
      return receiveMessage(ctx, {
        connectionId,
        event,
        word: optOutWord(event.body),
        stopsMarketing: stopsMarketing(event.body),
      });
    case "own":
      return receiveOwnMessage(ctx, connectionId, event);
    case "preference":
      return receivePreference(ctx, connectionId, event);
    case "connection":
      return applyNotice(ctx, connectionId, event, event.at);
    case "template":
      return judgeTemplate(ctx, connectionId, event);
  }
}

/** Applies provider events, in any order and any number of times: all statuses of a shard at once, the others one by one. */
export async function handleEvents(base: BaseCtx, messages: EventMessage[]): Promise<void> {
  const statuses = new Map<number, ReportedStatus[]>();
  for (const { workspace, connectionId, ...carried } of messages) {
    for (const event of hasOwn(carried, "events") ? carried.events : [carried.event]) {
      if (event.type === "status") {
        const reports = statuses.get(workspace.shard) ?? [];
        reports.push({ workspace, connectionId, event });
        statuses.set(workspace.shard, reports);
      } else {
        await handleEvent(forWorkspace(base, workspace), connectionId, event);
      }
    }
  }
  for (const [shard, reports] of statuses) await settleStatuses(base, shard, reports);
}
