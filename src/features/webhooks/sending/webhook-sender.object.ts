import { setAlarmAt, setAlarmBy } from "../../../shared/alarms.ts";
import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { WorkspaceRef } from "../../../shared/access/workspace.ts";
import type { DeliveriesFilter } from "../webhooks.deliveries.ts";
import type { DeliveryAttempt, LoggedDelivery, WebhookProgress } from "../webhooks.schemas.ts";
import { callEndpoint, type EndpointRequest } from "./call-endpoint.ts";
import type { ReplayRange } from "./event-reader.ts";
import { EventSender } from "./event-sender.ts";
import { SharedAnswers } from "./shared-answers.ts";

/** The time before a new run after an internal error. */
const FAILED_RUN_MS = 10_000;

export interface WebhookRef {
  id: string;
  workspace: WorkspaceRef;
}

/** Sends the events of a workspace to one webhook. All sending happens in alarms, which the platform repeats after a crash. */
export class WebhookSenderWork {
  private known: EventSender | null = null;
  private isRunning = false;
  private readonly tests = new SharedAnswers<DeliveryAttempt>(() => Date.now());
  private readonly retries = new SharedAnswers<LoggedDelivery | null>(() => Date.now());
  private readonly replays = new SharedAnswers<number | null>(() => Date.now());

  constructor(
    private readonly ctx: DurableObjectState,
    /** The context for work outside a request. */
    private readonly createCtx: () => BaseCtx,
  ) {}

  private get ref(): WebhookRef | undefined {
    return this.ctx.storage.kv.get<WebhookRef>("ref");
  }

  /** Created on first use, so that the object of an unknown webhook stores nothing. */
  private get sender(): EventSender {
    this.known ??= new EventSender(this.ctx.storage);
    return this.known;
  }

  /** Called after new events were appended. */
  async wake(): Promise<void> {
    if (this.ref === undefined) return;
    this.sender.wake();
    await this.runSoon();
  }

  /** Called after the webhook's row might have changed. The object reads the row again before it sends anything. */
  async refresh(ref: WebhookRef, isRestart = false): Promise<WebhookProgress | null> {
    this.ctx.storage.kv.put("ref", ref);
    this.sender.reload(Date.now(), isRestart);
    await this.runSoon();
    return this.sender.progress;
  }

  /** Recovers if a wake or a `refresh` was lost. */
  async ensureRunning(ref: WebhookRef): Promise<void> {
    if (this.ref === undefined) await this.refresh(ref);
    else await this.wake();
  }

  /** Returns the delivery progress. Null before the first run. */
  place(): WebhookProgress | null {
    return this.ref === undefined ? null : this.sender.progress;
  }

  /** Newest first. Returns one more delivery than the limit if older ones exist. */
  listDeliveries(filter: DeliveriesFilter): LoggedDelivery[] {
    return this.sender.list(filter);
  }

  /** Calls the endpoint once, outside the order of events. */
  sendTest(request: EndpointRequest, requestKey: string | null): Promise<DeliveryAttempt> {
    return this.tests.actOnce(requestKey, async () => (await callEndpoint(this.createCtx(), request)).attempt);
  }

  /** Sends a delivery again, with all its retries. Returns null if the delivery is unknown. */
  retry(id: string, requestKey: string | null): Promise<LoggedDelivery | null> {
    return this.retries.actOnce(requestKey, async () => {
      const { ref } = this;
      const delivery = ref === undefined ? null : this.sender.retry(ref.workspace.id, id, Date.now());
      if (delivery !== null) await this.runSoon();
      return delivery;
    });
  }

  /** Sends events again and returns their number. Returns null if too many replays are waiting. */
  replay(range: ReplayRange, isFailedOnly: boolean, requestKey: string | null): Promise<number | null> {
    return this.replays.actOnce(requestKey, async () => {
      const count = isFailedOnly ? this.sender.replayFailed(range, Date.now()) : this.sender.replayAll(range);
      await this.runSoon();
      return count;
    });
  }

  async alarm(): Promise<void> {
    const { ref } = this;
    if (ref === undefined) return;
    this.isRunning = true;
    let nextAt = Date.now() + FAILED_RUN_MS;
    try {
      nextAt = await this.sender.run(forWorkspace(this.createCtx(), ref.workspace), ref.id);
    } catch (error) {
      log.error("webhook_run_failed", { webhookId: ref.id, error });
    } finally {
      this.isRunning = false;
    }
    if (!this.sender.exists) await this.forget();
    else if (nextAt < Infinity) await setAlarmAt(this.ctx.storage, nextAt);
  }

  /** Sets the alarm to now, unless a run is active. A run sets the next alarm at its end. */
  private async runSoon(): Promise<void> {
    if (!this.isRunning) await setAlarmBy(this.ctx.storage, Date.now());
  }

  /** Deletes everything that the object stores, after the webhook was deleted. */
  private async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.known = null;
  }
}
