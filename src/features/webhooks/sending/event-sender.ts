import type { Ctx } from "../../../shared/context.ts";
import { log as errorLog } from "../../../shared/logger.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import type { OpenWebhook } from "../open-webhook.ts";
import { type DeliveriesFilter, type Delivery, waitUntil } from "../webhooks.deliveries.ts";
import {
  type EndedAttempt,
  type EndpointHealth,
  healthAfter,
  isSending,
  newHealth,
  nextSendFrom,
  startProbing,
  stopProbing,
} from "../webhooks.retries.ts";
import type { LoggedDelivery, WebhookProgress } from "../webhooks.schemas.ts";
import { callEndpoint, deliveryRequest } from "./call-endpoint.ts";
import { CurrentWebhook } from "./current-webhook.ts";
import { DeliveryLog } from "./delivery-log.ts";
import { batchOf } from "./delivery-order.ts";
import { EventReader, type ReaderProgress, type ReplayRange } from "./event-reader.ts";
import { PendingDeliveries } from "./pending-deliveries.ts";
import { RenderedEvents } from "./rendered-events.ts";
import { resendDelivery, resendFailed } from "./resend-deliveries.ts";
import { signalWithin, WakeSignal } from "./wake-signal.ts";

const MAX_IN_FLIGHT = 5;
/**
 * The platform limits how long an alarm may take. A run therefore ends after this time, and the next alarm continues.
 */
const RUN_MS = 30_000;
/** An alarm can make 10,000 subrequests, and each send makes up to four. A run therefore ends after this many sends. */
const MAX_SENDS = 2000;
/** The progress is stored at this interval. A crash therefore repeats the events of at most one interval. */
const SAVE_MS = 1000;

interface Progress extends ReaderProgress {
  cursor: number;
  health: EndpointHealth;
}

/** Sends the event log to the endpoint of one webhook. A crash can repeat events, but never skips one. */
export class EventSender {
  private readonly log: DeliveryLog;
  private readonly deliveries: PendingDeliveries;
  private readonly rendered = new RenderedEvents();
  private readonly reader: EventReader;
  private readonly current = new CurrentWebhook((ctx, webhook) => this.follow(ctx, webhook));
  private health: EndpointHealth;
  private runNumber = 0;
  private saved = "";
  private readonly signal = new WakeSignal();

  constructor(private readonly storage: DurableObjectStorage) {
    const progress = storage.kv.get<Progress>("progress");
    this.log = new DeliveryLog(storage);
    this.deliveries = new PendingDeliveries(this.log, progress?.cursor);
    this.reader = new EventReader(this.deliveries, this.rendered, progress ?? { replays: [] });
    this.health = { ...newHealth, ...progress?.health };
  }

  get exists(): boolean {
    return this.current.inMemory !== null;
  }

  get progress(): WebhookProgress | null {
    if (!this.deliveries.isOpen) return null;
    const { lastSuccessAt, lastFailureAt, failingSince } = this.health;
    return { sequence: this.deliveries.doneThrough, lastSuccessAt, lastFailureAt, failingSince };
  }

  wake(): void {
    this.reader.noteNews();
    this.signal.send();
  }

  reload(now: number, isRestart: boolean): void {
    if (isRestart) this.restart(now);
    this.current.discard();
    this.wake();
  }

  list(filter: DeliveriesFilter): LoggedDelivery[] {
    return this.log.list(filter).map((each) => waitUntil(each, nextSendFrom(this.health)));
  }

  retry(workspaceId: string, id: string, now: number): LoggedDelivery | null {
    const listed = resendDelivery(this.log, this.deliveries, { workspaceId, id, now });
    this.signal.send();
    return listed === null ? null : waitUntil(listed, nextSendFrom(this.health));
  }

  replayFailed(range: ReplayRange, now: number): number {
    const count = resendFailed(this.log, this.deliveries, range, now);
    this.signal.send();
    return count;
  }

  replayAll(range: ReplayRange): number | null {
    const count = this.reader.replay(range);
    this.save();
    this.signal.send();
    return count;
  }

  /** Sends until nothing is due. Returns the time of the next run, or Infinity if only a new event can start it. */
  async run(ctx: Ctx, id: string): Promise<number> {
    if (!ctx.sends) return this.rest(ctx, id);
    const end = ctx.now() + RUN_MS;
    const run = ++this.runNumber;
    const running = new Set<Promise<void>>();
    let savedAt = ctx.now();
    let sends = 0;
    try {
      while (ctx.now() < end && sends < MAX_SENDS && run === this.runNumber) {
        const webhook = await this.current.get(ctx, id);
        if (webhook === null || !isSending(webhook.record.status)) break;
        const signal = this.signal.next();
        if (this.canRead) await this.reader.read(ctx, webhook);
        const delivery = this.current.inMemory === webhook ? this.takeNext(webhook, ctx.now()) : null;
        if (delivery !== null) {
          sends++;
          const work: Promise<void> = this.attempt(ctx, webhook, delivery).finally(() => {
            running.delete(work);
            this.signal.send();
          });
          running.add(work);
        } else if (!this.canRead) {
          if (running.size === 0) break;
          // Another delivery can become due while we wait for a slow response, so we also wake at that time.
          await signalWithin(signal, Math.min(this.nextSendAt(webhook, ctx.now()), end) - ctx.now());
        }
        if (ctx.now() - savedAt >= SAVE_MS) {
          savedAt = ctx.now();
          this.save();
        }
      }
    } finally {
      await Promise.all(running);
    }
    if (!this.exists) return Infinity;
    this.log.deleteOld(ctx.now());
    this.save();
    return this.nextRunAt(ctx.now());
  }

  private async rest(ctx: Ctx, id: string): Promise<number> {
    await this.current.get(ctx, id);
    this.save();
    return Math.max(this.nextRunAt(ctx.now()), ctx.now() + MINUTE_MS);
  }

  /** Applies the stored settings of the webhook. If a user enabled it during probing, the probing ends. */
  private async follow(ctx: Ctx, { record: { id, start_after, status }, types }: OpenWebhook): Promise<void> {
    this.deliveries.open(start_after);
    await this.reader.followRestore(ctx, id);
    this.deliveries.keepTypes(types);
    const { probing } = this.health;
    if (status === "active" && probing !== null) this.restart(ctx.now());
    if (status === "probing" && probing === null) this.health = startProbing(this.health, ctx.now(), ctx.random());
  }

  private restart(now: number): void {
    this.health = stopProbing(this.health);
    this.deliveries.makeDue(now);
  }

  private get isProbing(): boolean {
    return this.health.probing !== null;
  }

  private get canRead(): boolean {
    return this.reader.canRead(this.isProbing);
  }

  private get hasRoom(): boolean {
    return this.deliveries.inFlightCount < (this.health.isSlow ? 1 : MAX_IN_FLIGHT);
  }

  private takeNext(webhook: OpenWebhook, now: number): Delivery | null {
    if (now < nextSendFrom(this.health)) return null;
    if (this.isProbing) return this.deliveries.inFlightCount > 0 ? null : this.deliveries.dueProbe(now);
    return this.hasRoom ? this.deliveries.due(now, batchOf(webhook.record)) : null;
  }

  private async attempt(ctx: Ctx, webhook: OpenWebhook, taken: Delivery): Promise<void> {
    let delivery = taken;
    const { isProbing: isProbe } = this;
    const { id } = webhook.record;
    try {
      const upcoming = (limit: number) => (this.isProbing ? [] : this.deliveries.upcoming(limit));
      const { texts, rest } = await this.rendered.render(ctx, taken.events, upcoming);
      if (rest.length > 0) delivery = this.deliveries.split(taken, rest.length, ctx.now());
      if (texts.length === 0) {
        this.deliveries.drop(delivery.id);
        return;
      }
      const result = await callEndpoint(ctx, deliveryRequest(webhook, delivery, texts, ctx.now()));
      await this.record(ctx, id, delivery, { isProbe, result });
    } catch (error) {
      errorLog.error("webhook_attempt_failed", { requestId: ctx.requestId, webhookId: id, error });
      this.deliveries.skip(delivery, ctx.now());
    }
  }

  private async record(ctx: Ctx, id: string, delivery: Delivery, ended: EndedAttempt): Promise<void> {
    const at = { now: ctx.now(), random: ctx.random() };
    this.deliveries.settle(delivery, ended, at);
    const { health, transition } = healthAfter(this.health, ended, at);
    this.health = health;
    if (transition === "recovered") this.deliveries.makeDue(at.now);
    if (!ended.result.isSuccess) this.save();
    if (transition === null) return;
    await this.current.change(ctx, id, transition);
    this.signal.send();
  }

  private nextSendAt(webhook: OpenWebhook, now: number): number {
    if (this.isProbing || !this.hasRoom) return Infinity;
    return Math.max(this.deliveries.nextAt(now, batchOf(webhook.record)), this.health.notBefore);
  }

  private nextRunAt(now: number): number {
    const webhook = this.current.inMemory;
    if (webhook === undefined) return now;
    if (webhook === null || !isSending(webhook.record.status)) return Infinity;
    const { probing, notBefore } = this.health;
    if (probing !== null) return this.deliveries.isEmpty && !this.reader.mayHaveNews ? Infinity : probing.nextAt;
    const at = this.canRead ? now : this.deliveries.nextAt(now, batchOf(webhook.record));
    return Math.max(at, notBefore);
  }

  private save(): void {
    const { cursor } = this.deliveries;
    const progress: Progress = { cursor, health: this.health, ...this.reader.progress };
    const text = JSON.stringify(progress);
    if (text !== this.saved) this.storage.kv.put("progress", progress);
    this.saved = text;
    this.log.saveRecent();
  }
}
