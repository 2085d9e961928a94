import { log as errorLog } from "../../shared/logger.ts";
import { DeliveryLog } from "./delivery-log.ts";
import type { OpenWebhook } from "./open-webhook.ts";
import { Backlog } from "./webhooks.backlog.ts";
import { type Delivery, splitDelivery } from "./webhooks.deliveries.ts";
import { RenderedEvents } from "./webhooks.rendered.ts";
import { type EndpointHealth, newHealth, stopProbing } from "./webhooks.retries.ts";
import type { LoggedDelivery, WebhookPlace } from "./webhooks.schemas.ts";

/** Deliveries that went well at once and are still shown. */
const MAX_RECENT = 100;
/** A delivery that failed by a fault of ours comes back after this. */
const DEFERRED_MS = 5000;

/** Events of the log that are to be sent again. */
export interface Replay {
  /** Where it has come to. */
  after: number;
  /** The last event of it. */
  through: number;
  /** Null for all that the webhook wants. */
  types: string[] | null;
  /** Events up to this sequence number were read, and are being sent. */
  readThrough?: number;
}

interface Progress {
  cursor: number;
  health: EndpointHealth;
  replays: Replay[];
}

const NOT_OPENED = -1;

/** The knowledge of one webhook's object, in memory and written down. */
export class SenderState {
  readonly log: DeliveryLog;
  backlog: Backlog;
  health: EndpointHealth;
  replays: Replay[];
  readonly rendered = new RenderedEvents();
  /** Resolves once what is read again for deliveries is there. */
  reading: Promise<void> = Promise.resolve();
  /** True while the log may hold events behind the backlog. */
  hasMore = true;
  /** As it is stored; null where it is gone; undefined where it has to be read. */
  webhook: OpenWebhook | null | undefined;
  loadedAt = 0;
  /** The number of the run that sends; those before it end. */
  run = 0;
  /** How often the stored webhook has changed. */
  changes = 0;
  private recent: LoggedDelivery[];
  private saved = "";
  private isRecentSaved = true;
  private next = Promise.withResolvers<void>();

  constructor(private readonly storage: DurableObjectStorage) {
    this.log = new DeliveryLog(storage.sql);
    const progress = storage.kv.get<Progress>("progress");
    this.backlog = new Backlog(progress?.cursor ?? NOT_OPENED, this.log.loadPending());
    this.health = { ...newHealth, ...progress?.health };
    this.replays = progress?.replays ?? [];
    this.recent = storage.kv.get<LoggedDelivery[]>("recent") ?? [];
  }

  /** Begins behind this event, unless it has begun already. */
  open(startAfter: number): void {
    if (this.backlog.end === NOT_OPENED) this.backlog = new Backlog(startAfter, this.log.loadPending());
  }

  /** Discards the webhook, so that it is read anew. */
  noteChange(): void {
    this.changes++;
    this.webhook = undefined;
    this.signal();
  }

  /** Gives the endpoint another chance. */
  restart(now: number): void {
    this.health = stopProbing(this.health);
    this.makeDue(now);
  }

  /** The endpoint is back, or may be: what failed before waits no longer, with the tries it has left. */
  makeDue(now: number): void {
    this.log.makeDue(now);
    this.backlog.makeDue(now);
  }

  /** Resolves with the next `signal`. */
  nextSignal(): Promise<void> {
    // A run that the platform has given up ends here, since another has begun.
    this.next.resolve();
    this.next = Promise.withResolvers();
    return this.next.promise;
  }

  /** Something has happened that may let another delivery leave. */
  signal(): void {
    this.next.resolve();
  }

  get canRead(): boolean {
    if (this.backlog.isFull || (this.health.probing !== null && this.backlog.hasFresh)) return false;
    return this.hasMore || (this.replays.length > 0 && !this.backlog.hasFreshReplay);
  }

  /** How far it has come; null where it has not begun. */
  get place(): WebhookPlace | null {
    if (this.backlog.end === NOT_OPENED) return null;
    const { lastSuccessAt, lastFailureAt, failingSince } = this.health;
    return { sequence: this.backlog.doneThrough, lastSuccessAt, lastFailureAt, failingSince };
  }

  /** Shows a delivery that went well at once. */
  addRecent(delivery: LoggedDelivery): void {
    this.recent = [delivery, ...this.recent.filter(({ id }) => id !== delivery.id)].slice(0, MAX_RECENT);
    this.isRecentSaved = false;
  }

  get recentSuccesses(): readonly LoggedDelivery[] {
    return this.recent;
  }

  /** Brings back a delivery whose attempt could not be made. */
  deferUnsent(delivery: Delivery, now: number): void {
    const deferred = { ...delivery, dueAt: now + DEFERRED_MS };
    try {
      this.log.putPending(deferred, null);
    } catch (error) {
      errorLog.error("webhook_delivery_not_stored", { deliveryId: delivery.id, error });
    }
    this.backlog.settle(delivery.id, deferred);
  }

  /** Parts a delivery on its way from its last events, which are sent after it; gives what is left, which goes on. */
  split(delivery: Delivery, count: number, now: number): Delivery {
    const { head, tail } = splitDelivery(delivery, count, now);
    this.log.delete(delivery.id);
    for (const part of [head, tail]) this.log.putPending(part, null);
    this.backlog.replaceInFlight(delivery.id, head, tail);
    return head;
  }

  /** Writes down how far it has come, where that has changed. */
  save(): void {
    const progress: Progress = {
      cursor: this.backlog.cursor,
      health: this.health,
      // A page that is being sent is read anew after a crash.
      replays: this.replays.map(({ after, through, types }) => ({ after, through, types })),
    };
    const text = JSON.stringify(progress);
    if (text !== this.saved) this.storage.kv.put("progress", progress);
    this.saved = text;
    if (!this.isRecentSaved) this.storage.kv.put("recent", this.recent);
    this.isRecentSaved = true;
  }
}
