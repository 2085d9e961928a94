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

const FAILED_RUN_MS = 10_000;

export interface WebhookRef {
  id: string;
  workspace: WorkspaceRef;
}

/**
 * Sends the events of one webhook. All sending happens in alarms, because the platform repeats an alarm after a crash.
 */
export class WebhookSenderWork {
  private known: EventSender | null = null;
  private isRunning = false;
  private readonly tests = new SharedAnswers<DeliveryAttempt>(() => Date.now());
  private readonly retries = new SharedAnswers<LoggedDelivery | null>(() => Date.now());
  private readonly replays = new SharedAnswers<number | null>(() => Date.now());

  constructor(
    private readonly ctx: DurableObjectState,
    private readonly createCtx: () => BaseCtx,
  ) {}

  private get ref(): WebhookRef | undefined {
    return this.ctx.storage.kv.get<WebhookRef>("ref");
  }

  /**
   * Created on first use, because creating a sender stores data. The object of an unknown webhook must not store
   * anything.
   */
  private get sender(): EventSender {
    this.known ??= new EventSender(this.ctx.storage);
    return this.known;
  }

  async wake(): Promise<void> {
    if (this.ref === undefined) return;
    this.sender.wake();
    await this.runSoon();
  }

  async refresh(ref: WebhookRef, isRestart = false): Promise<WebhookProgress | null> {
    this.ctx.storage.kv.put("ref", ref);
    this.sender.reload(Date.now(), isRestart);
    await this.runSoon();
    return this.sender.progress;
  }

  /** The sweep calls this, because a call of `wake` or of the first `refresh` can be lost. */
  async ensureRunning(ref: WebhookRef): Promise<void> {
    if (this.ref === undefined) await this.refresh(ref);
    else await this.wake();
  }

  place(): WebhookProgress | null {
    return this.ref === undefined ? null : this.sender.progress;
  }

  listDeliveries(filter: DeliveriesFilter): LoggedDelivery[] {
    return this.sender.list(filter);
  }

  sendTest(request: EndpointRequest, requestKey: string | null): Promise<DeliveryAttempt> {
    return this.tests.actOnce(requestKey, async () => (await callEndpoint(this.createCtx(), request)).attempt);
  }

  retry(id: string, requestKey: string | null): Promise<LoggedDelivery | null> {
    return this.retries.actOnce(requestKey, async () => {
      const { ref } = this;
      const delivery = ref === undefined ? null : this.sender.retry(ref.workspace.id, id, Date.now());
      if (delivery !== null) await this.runSoon();
      return delivery;
    });
  }

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

  private async runSoon(): Promise<void> {
    if (!this.isRunning) await setAlarmBy(this.ctx.storage, Date.now());
  }

  private async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.known = null;
  }
}
