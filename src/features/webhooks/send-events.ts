// Sends the events of a workspace's log to one webhook, in its object. What an attempt came to is stored before it counts, so
// that a process that dies sends an event again and never leaves one out.
import type { Ctx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import type { EndpointAnswer } from "./call-endpoint.ts";
import { loadWebhook, type OpenWebhook, signingSecrets } from "./open-webhook.ts";
import type { EventView } from "../event-feed/event-feed.schemas.ts";
import { readEvents } from "../event-feed/read-events.ts";
import { renderDelivery } from "./render-delivery.ts";
import { readReplay } from "./replay-events.ts";
import { recordAttempt, storeTransition } from "./record-attempt.ts";
import { sendRequest } from "./send-request.ts";
import type { SenderState } from "./sender-state.ts";
import type { BatchSize, ReadEvent } from "./webhooks.fresh-events.ts";
import type { Delivery } from "./webhooks.deliveries.ts";
import { findConnectionsOfMessages } from "./find-connections.sql.ts";
import { isAboutMessage, isWanted, orderKey } from "./webhooks.matching.ts";
import { isSending, startProbing } from "./webhooks.retries.ts";

const MAX_IN_FLIGHT = 5;
/** Events that are read at once. */
const PAGE = 100;
/** A run ends after this, and the next begins: the platform bounds what one may take. */
const RUN_MS = 30_000;
/** The object is notified when its webhook changes; should that fail, it reads the row again after this. */
const RELOAD_MS = 60_000;
/** Progress is written down so often at most: a crash only has the last second's events sent again. */
const SAVE_MS = 1000;

const batchOf = ({ record: { batch } }: OpenWebhook): BatchSize | null =>
  batch === null ? null : { maxEvents: batch.max_events, maxWaitMs: batch.max_wait_seconds * 1000 };

/** Makes health agree with the status on record, which people change too. */
function followStatus(state: SenderState, { record: { status } }: OpenWebhook, ctx: Ctx): void {
  const { health } = state;
  if (status === "active" && health.probing !== null) state.restart(ctx.now());
  if (status === "probing" && health.probing === null) state.health = startProbing(health, ctx.now(), ctx.random());
}

async function currentWebhook(state: SenderState, ctx: Ctx, id: string): Promise<OpenWebhook | null> {
  const isFresh = ctx.now() - state.loadedAt < RELOAD_MS;
  if (state.webhook !== undefined && isFresh) return state.webhook;
  const { changes } = state;
  const webhook = await loadWebhook(ctx, id);
  // A webhook that was changed while it was read is read again.
  if (changes === state.changes) state.webhook = webhook;
  state.loadedAt = ctx.now();
  if (webhook !== null) {
    state.open(webhook.record.start_after);
    state.backlog.keepTypes(webhook.types);
    followStatus(state, webhook, ctx);
  }
  return webhook;
}

/** Reads on in the log where there is room. */
async function readOn(state: SenderState, ctx: Ctx, webhook: OpenWebhook): Promise<void> {
  const { backlog } = state;
  if (!state.canRead) return;
  if (state.hasMore) {
    // Before the reading: a wake meanwhile counts.
    state.hasMore = false;
    try {
      const page = await readEvents(ctx, { after: backlog.end, types: webhook.types, limit: PAGE });
      backlog.add(await wantedOf(state, ctx, webhook, page.events), page.lastExamined, ctx.now());
      state.hasMore ||= page.hasMore;
    } catch (error) {
      state.hasMore = true;
      throw error;
    }
  }
  const replayed = await readReplay(state, ctx, webhook.types);
  backlog.addReplay(await wantedOf(state, ctx, webhook, replayed), ctx.now());
}

/** Those that pass the filters. */
async function wantedOf(
  state: SenderState,
  ctx: Ctx,
  { record }: OpenWebhook,
  events: readonly EventView[],
): Promise<ReadEvent[]> {
  const { campaigns, connection_ids: connectionIds } = record;
  const messages = connectionIds === null ? [] : events.filter(isAboutMessage).map((each) => each.object_id);
  const ofMessages = await findConnectionsOfMessages(ctx, messages);
  const wanted = events.filter((each) => isWanted(each, { campaigns, connectionIds }, ofMessages));
  return wanted.map((view) => {
    const { id, sequence, type } = view;
    return { id, sequence, type, key: orderKey(view), bytes: state.rendered.add(view, ctx.now()) };
  });
}

const hasRoom = ({ backlog, health }: SenderState): boolean =>
  backlog.inFlightCount < (health.isSlow ? 1 : MAX_IN_FLIGHT);

/** The delivery to send next, if one may leave now. */
function takeNext(state: SenderState, webhook: OpenWebhook, now: number): Delivery | null {
  const { backlog, health } = state;
  if (now < health.notBefore) return null;
  if (health.probing !== null)
    return backlog.inFlightCount > 0 || now < health.probing.nextAt ? null : backlog.takeProbe(now);
  if (!hasRoom(state)) return null;
  const { delivery, held } = backlog.take(now, batchOf(webhook));
  for (const each of held) state.log.putPending(each, null);
  return delivery;
}

function call(
  ctx: Ctx,
  webhook: OpenWebhook,
  { id, events }: Delivery,
  texts: readonly string[],
): Promise<EndpointAnswer> {
  const { url, batch } = webhook.record;
  const isBatch = batch !== null || events.length > 1;
  return sendRequest(ctx, {
    url,
    secrets: signingSecrets(webhook, ctx.now()),
    id: isBatch ? id : (events[0]?.id ?? id),
    body: isBatch ? `{"events":[${texts.join()}]}` : texts.join(),
  });
}

/** Makes one attempt and records it. A fault of ours counts for none: the delivery comes back soon. */
async function attempt(state: SenderState, ctx: Ctx, webhook: OpenWebhook, taken: Delivery): Promise<void> {
  let delivery = taken;
  const isProbe = state.health.probing !== null;
  try {
    const rendered = await renderDelivery(state, ctx, taken);
    ({ delivery } = rendered);
    if (rendered.texts.length === 0) {
      state.log.delete(delivery.id);
      state.backlog.settle(delivery.id, null);
      return;
    }
    const answer = await call(ctx, webhook, delivery, rendered.texts);
    const transition = recordAttempt(state, { delivery, isProbe, answer, now: ctx.now(), random: ctx.random() });
    if (transition !== null) await storeTransition(state, ctx, webhook.record.id, transition);
  } catch (error) {
    log.error("webhook_attempt_failed", { requestId: ctx.requestId, webhookId: webhook.record.id, error });
    state.deferUnsent(delivery, ctx.now());
  }
}

async function signalWithin(signal: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([signal, late.promise]);
  clearTimeout(timer);
}

/** Sends what may be sent until nothing is left, or time is up; gives when to come back, Infinity for with the next event. */
export async function sendEvents(state: SenderState, ctx: Ctx, id: string): Promise<number> {
  const end = ctx.now() + RUN_MS;
  const run = ++state.run;
  const running = new Set<Promise<void>>();
  let savedAt = ctx.now();
  try {
    while (ctx.now() < end && run === state.run) {
      const webhook = await currentWebhook(state, ctx, id);
      if (webhook === null || !isSending(webhook.record.status)) break;
      const signal = state.nextSignal();
      await readOn(state, ctx, webhook);
      const delivery = state.webhook === webhook ? takeNext(state, webhook, ctx.now()) : null;
      if (delivery !== null) {
        const work: Promise<void> = attempt(state, ctx, webhook, delivery).finally(() => {
          running.delete(work);
          state.signal();
        });
        running.add(work);
      } else if (!state.canRead) {
        if (running.size === 0) break;
        // Deliveries that become due meanwhile leave beside a slow answer.
        await signalWithin(signal, Math.min(nextSendAt(state, webhook, ctx.now()), end) - ctx.now());
      }
      if (ctx.now() - savedAt >= SAVE_MS) {
        savedAt = ctx.now();
        state.save();
      }
    }
  } finally {
    await Promise.all(running);
  }
  if (state.webhook === null) return Infinity;
  state.log.deleteOld(ctx.now());
  state.save();
  return nextRunAt(state, ctx.now());
}

/** When another delivery may leave beside those on their way; Infinity where one of them has to end first. */
function nextSendAt(state: SenderState, webhook: OpenWebhook, now: number): number {
  const { backlog, health } = state;
  if (health.probing !== null || !hasRoom(state)) return Infinity;
  return Math.max(backlog.nextAt(now, batchOf(webhook)), health.notBefore);
}

function nextRunAt(state: SenderState, now: number): number {
  const { webhook, backlog, health } = state;
  if (webhook === undefined) return now;
  if (webhook === null || !isSending(webhook.record.status)) return Infinity;
  if (health.probing !== null) return backlog.isEmpty && !state.hasMore ? Infinity : health.probing.nextAt;
  const at = state.canRead ? now : backlog.nextAt(now, batchOf(webhook));
  return Math.max(at, health.notBefore);
}
