import type { ChannelEvent } from "../../channels/channel.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { applyNotice } from "../connections/connection-status.sql.ts";
import { settleLate } from "../messages/settle/settle-or-queue.ts";
import { changeIdentity } from "../messages/receive/change-identity.ts";
import { receiveMessage } from "../messages/receive/receive-message.ts";
import { receiveOwnMessage } from "../messages/receive/receive-own-message.ts";
import { receivePreference } from "../messages/receive/receive-preference.ts";
import { receiveRevision } from "../messages/receive/receive-revision.ts";
import { type ReportedStatus, settleStatuses } from "../messages/settle/settle-statuses.ts";
import { judgeTemplate } from "../templates/sync-templates.ts";
import { createPhoneFinder, type PhoneFinder } from "./find-phone.ts";
import { optOutWord, stopsMarketing } from "./inbound.opt-out.ts";
import type { EventMessage } from "./inbound.schemas.ts";
import { MINUTE_MS } from "../../shared/durations.ts";
import { hasOwn } from "../../shared/own.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";

type SingleEvent = Exclude<ChannelEvent, { type: "status" }>;

/** How long until the number behind a sender's id is asked for once more; after the last time it goes without. */
const LOOKUP_DELAYS_MS = [2000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

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
    case "identity":
      return changeIdentity(ctx, connectionId, event);
    case "revision": {
      const body = event.body ?? "";
      const asks = { word: optOutWord(body), stopsMarketing: stopsMarketing(body) };
      return receiveRevision(ctx, { connectionId, event, ...asks });
    }
    case "preference":
      return receivePreference(ctx, connectionId, event);
    case "connection":
      return applyNotice(ctx, connectionId, event, event.at);
    case "template":
      return judgeTemplate(ctx, connectionId, event);
  }
}

/** The event with the number of whom it is with, where the provider hides it; null where it could not be asked now. */
async function withPhone(
  ctx: Ctx,
  connectionId: string,
  event: SingleEvent,
  finder: PhoneFinder,
): Promise<SingleEvent | null> {
  if (event.type !== "message" && event.type !== "own") return event;
  const found = await finder.find(ctx, connectionId, event.type === "message" ? event.from : event.to);
  if (found === "failed") return null;
  return event.type === "message" ? { ...event, from: found } : { ...event, to: found };
}

interface Carried {
  workspace: WorkspaceRef;
  connectionId: string;
  event: SingleEvent;
  lookups: number;
}

/** Handles one event, or has it come again where a number is to be asked for later. It is not kept waiting for ever. */
async function handleOne(base: BaseCtx, finder: PhoneFinder, { workspace, ...carried }: Carried): Promise<void> {
  const ctx = forWorkspace(base, workspace);
  const { connectionId, event, lookups } = carried;
  const named = await withPhone(ctx, connectionId, event, finder);
  const delayMs = LOOKUP_DELAYS_MS[lookups];
  if (named !== null || delayMs === undefined) return handleEvent(ctx, connectionId, named ?? event);
  await ctx.queues.events([{ v: 1, workspace, connectionId, event, lookups: lookups + 1 }], { delayMs });
}

/** Applies provider events and late settlements, in any order and any number of times: all statuses of a shard at once, the others one by one. */
export async function handleEvents(base: BaseCtx, messages: EventMessage[]): Promise<void> {
  const statuses = new Map<number, ReportedStatus[]>();
  const finder = createPhoneFinder();
  for (const message of messages) {
    const { workspace, connectionId } = message;
    if (hasOwn(message, "settlement")) {
      await settleLate(forWorkspace(base, workspace), message.settlement);
      continue;
    }
    for (const event of hasOwn(message, "events") ? message.events : [message.event]) {
      if (event.type === "status") {
        const reports = statuses.get(workspace.shard) ?? [];
        reports.push({ workspace, connectionId, event });
        statuses.set(workspace.shard, reports);
      } else {
        const lookups = hasOwn(message, "lookups") ? message.lookups : 0;
        await handleOne(base, finder, { workspace, connectionId, event, lookups });
      }
    }
  }
  for (const [shard, reports] of statuses) await settleStatuses(base, shard, reports);
}
