import * as z from "zod";
import type { ChannelEvent } from "../../channels/channel-events.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { applyConnectionNotice } from "../connections/connection-status.sql.ts";
import { settleFromQueue } from "../messages/settle/settle-or-queue.ts";
import { changeIdentity } from "../people/identity/identity-changes.ts";
import { type OptOutRequest, receiveMessage } from "../messages/receive/receive-message.ts";
import { identifiersOf } from "../messages/receive/read-event.ts";
import { receiveOwnMessage } from "../messages/receive/receive-own-message.ts";
import { receivePreference } from "../people/opt-outs/receive-preference.ts";
import { receiveRevision } from "../messages/receive/receive-revision.ts";
import { type ReportedStatus, settleStatuses } from "../messages/settle/settle-statuses.ts";
import { storeReportedIdentities } from "../people/identity/store-identities.ts";
import { retryAfterMerging } from "../people/merge/merge-contacts.ts";
import { storeTemplateReview } from "../templates/sync/sync-templates.ts";
import { storeDeadEvent, storeDeadEventWithFallback, storePoisonMessage } from "./dead-events.service.ts";
import { createPhoneFinder, type PhoneFinder } from "./find-hidden-phone.ts";
import { optOutWord, stopsMarketing } from "./inbound.opt-out.ts";
import { eventEnvelope, type EventMessage, eventMessage } from "./inbound.schemas.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { HOUR_MS, MINUTE_MS } from "../../shared/time/durations.ts";
import { hasOwn } from "../../shared/security/own.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";

type SingleEvent = Exclude<ChannelEvent, { type: "status" }>;

/** Delays between look-ups of a sender's hidden number. After the last look-up, the event is applied without the number. */
const LOOKUP_DELAYS_MS = [2000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

/** Delays before a failed check of a status inbox is repeated. After the last one, the next status queues a check. */
const CHECK_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS];

const requestOf = (text: string): OptOutRequest => ({ word: optOutWord(text), stopsMarketing: stopsMarketing(text) });

async function applyEvent(ctx: Ctx, connectionId: string, event: SingleEvent): Promise<void> {
  switch (event.type) {
    case "message": {
      const request = requestOf(event.parts?.type === "reaction" ? "" : event.body);
      return retryAfterMerging(ctx, connectionId, identifiersOf(event.from), () =>
        receiveMessage(ctx, { connectionId, event, ...request }),
      );
    }
    case "own":
      return retryAfterMerging(ctx, connectionId, identifiersOf(event.to), () =>
        receiveOwnMessage(ctx, connectionId, event),
      );
    case "identity":
      return changeIdentity(ctx, connectionId, event);
    case "revision":
      return receiveRevision(ctx, { connectionId, event, ...requestOf(event.body ?? "") });
    case "preference":
      return receivePreference(ctx, connectionId, event);
    case "connection":
      return applyConnectionNotice(ctx, connectionId, event, event.at);
    case "template":
      return storeTemplateReview(ctx, connectionId, event);
  }
}

async function addHiddenPhone(
  ctx: Ctx,
  connectionId: string,
  event: SingleEvent,
  finder: PhoneFinder,
): Promise<SingleEvent | null> {
  if (event.type !== "message" && event.type !== "own") return event;
  const person = await finder.find(ctx, connectionId, event.type === "message" ? event.from : event.to);
  if (person === "failed") return null;
  return event.type === "message" ? { ...event, from: person } : { ...event, to: person };
}

interface QueuedEvent {
  workspace: WorkspaceRef;
  connectionId: string;
  event: SingleEvent;
  lookups: number;
}

async function handleEvent(
  base: BaseCtx,
  finder: PhoneFinder,
  { workspace, connectionId, event, lookups }: QueuedEvent,
): Promise<void> {
  const ctx = forWorkspace({ ...base, actor: { type: "provider", connectionId } }, workspace);
  const complete = await addHiddenPhone(ctx, connectionId, event, finder);
  const delayMs = LOOKUP_DELAYS_MS[lookups];
  if (complete !== null || delayMs === undefined) return applyEvent(ctx, connectionId, complete ?? event);
  await ctx.queues.events([{ v: 1, workspace, connectionId, event, lookups: lookups + 1 }], { delayMs });
}

type InboxCheck = EventMessage & { inboxId: string; failures?: number | undefined };

/** Queues a failed check again. Never throws, so that a failing inbox does not repeat the events of other messages. */
async function checkInbox(base: BaseCtx, check: InboxCheck): Promise<void> {
  const { statusInboxes } = base;
  const { connectionId, inboxId, failures = 0 } = check;
  try {
    await askObject(async () => statusInboxes.get(statusInboxes.idFromString(inboxId)).check());
  } catch (error) {
    log.error("status_inbox_check_failed", { connectionId, failures: failures + 1, error });
    const delayMs = CHECK_DELAYS_MS[failures];
    if (delayMs === undefined) return;
    await base.queues.statuses([{ ...check, failures: failures + 1 }], { delayMs }).catch((failure: unknown) => {
      log.error("status_inbox_check_not_queued", { connectionId, error: failure });
    });
  }
}

/**
 * Events can be applied repeatedly and in any order, so the statuses of each shard are collected and applied together.
 * Then the status inboxes are checked.
 */
async function handleEvents(base: BaseCtx, messages: EventMessage[]): Promise<void> {
  const statuses = new Map<number, ReportedStatus[]>();
  const checks: InboxCheck[] = [];
  const finder = createPhoneFinder();
  for (const message of messages) {
    const { workspace, connectionId } = message;
    if (hasOwn(message, "settlement")) {
      await settleFromQueue(forWorkspace(base, workspace), message.settlement);
      continue;
    }
    if (hasOwn(message, "events") && message.inboxId !== undefined)
      checks.push({ ...message, events: [], inboxId: message.inboxId });
    for (const event of hasOwn(message, "events") ? message.events : [message.event]) {
      if (event.type === "status") {
        const reports = statuses.get(workspace.shard) ?? [];
        reports.push({ workspace, connectionId, event });
        statuses.set(workspace.shard, reports);
      } else {
        const lookups = hasOwn(message, "lookups") ? message.lookups : 0;
        await handleEvent(base, finder, { workspace, connectionId, event, lookups });
      }
    }
  }
  for (const [shard, reports] of statuses) {
    for (const { workspace, names } of await settleStatuses(base, shard, reports)) {
      await storeReportedIdentities(forWorkspace(base, workspace), names);
    }
  }
  await Promise.all(checks.map((check) => checkInbox(base, check)));
}

/**
 * Applies messages of the events and statuses queues. Accepts both kinds from either queue, because earlier versions
 * mixed them.
 */
export const consumeEvents = (base: BaseCtx, messages: readonly unknown[]): Promise<void> =>
  handleEvents(base, z.array(eventMessage).parse(messages));

const hasDatabase = ({ shardCount }: BaseCtx, shard: number): boolean =>
  Number.isInteger(shard) && shard >= 0 && shard < shardCount;

/**
 * Stores a failed message with `store`. If the message is malformed or its shard does not exist, it goes to the bucket.
 */
const storeFailedBy =
  (store: typeof storeDeadEvent) =>
  (base: BaseCtx, message: unknown, at: number): Promise<void> => {
    const { data } = eventEnvelope.safeParse(message);
    const hasShard = data !== undefined && hasDatabase(base, data.workspace.shard);
    return hasShard ? store(forWorkspace(base, data.workspace), message, at) : storePoisonMessage(base, message, at);
  };

/** Stores an event that fails repeatedly. Throws if the database fails, and the queue then retries the event. */
export const storeFailedEvent = storeFailedBy(storeDeadEvent);

/** Stores an event from a dead-letter queue. Uses the bucket if the database fails. */
export const storeGivenUpEvent = storeFailedBy(storeDeadEventWithFallback);
