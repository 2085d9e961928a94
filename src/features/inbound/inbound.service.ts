import type { ChannelEvent } from "../../channels/channel.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { applyNotice } from "../connections/connections.service.ts";
import { receiveMessage } from "../messages/receive-message.ts";
import { receiveOwnMessage } from "../messages/receive-own-message.ts";
import { receivePreference } from "../messages/receive-preference.ts";
import { receiveRevision } from "../messages/receive-revision.ts";
import { type ReportedStatus, settleStatuses } from "../messages/settle-statuses.ts";
import { judgeTemplate } from "../templates/sync-templates.ts";
import { optOutWord, stopsMarketing } from "./inbound.opt-out.ts";
import * as repository from "./inbound.repository.ts";
import type { EventMessage } from "./inbound.schemas.ts";

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

/** Applies provider events, in any order and any number of times: all statuses of a shard at once, the others one by one. */
export async function handleEvents(base: BaseCtx, messages: EventMessage[]): Promise<void> {
  const statuses = new Map<number, ReportedStatus[]>();
  for (const { workspace, connectionId, ...carried } of messages) {
    for (const event of "events" in carried ? carried.events : [carried.event]) {
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

/** Keeps an event that was retried in vain. */
export const storeDeadEvent = (ctx: Ctx, payload: unknown): Promise<void> =>
  repository.insertDeadLetter(ctx, { queue: "events", reason: "The event failed every time it was tried.", payload });

/** Newest first, one beyond `limit` where there are more. */
export const listDeadEvents = repository.listDeadLetters;

const isObject = (payload: unknown): payload is object => typeof payload === "object" && payload !== null;

/** Has a dead event tried anew; if it fails again it comes back. Throws `not_found`. */
export async function replayDeadEvent(ctx: Ctx, id: string): Promise<repository.DeadLetterRow> {
  const letter = await repository.findDeadLetter(ctx, id);
  if (letter === null || !isObject(letter.payload)) throw notFound("dead event");
  // Events are idempotent: were the letter to stay because deleting fails, another replay would do no harm.
  await ctx.queues.events([letter.payload]);
  await repository.deleteDeadLetter(ctx, id);
  return letter;
}
