import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { WorkspaceRef } from "../../../shared/access/workspace.ts";
import type { DeliveriesFilter } from "../webhooks.deliveries.ts";
import type { DeliveryAttempt, LoggedDelivery, WebhookPlace } from "../webhooks.schemas.ts";
import { callEndpoint, type EndpointRequest } from "./call-endpoint.ts";
import type { ReplayRange } from "./event-reader.ts";
import { EventSender } from "./event-sender.ts";
import { SharedAnswers } from "./shared-answers.ts";

/** A run that failed by a fault of ours is begun anew after this. */
const FAILED_RUN_MS = 10_000;

/** A webhook and where its row is. */
export interface WebhookRef {
  id: string;
  workspace: WorkspaceRef;
}

/**
 * Sends the events of a workspace's log to one webhook: what is new when it is woken, what is due by its alarm. Everything runs in
 * alarms, which the platform repeats after a crash.
 */
export class WebhookSenderWork {
  private known: EventSender | null = null;
  private isRunning = false;
  private readonly tests = new SharedAnswers<DeliveryAttempt>(() => Date.now());
  private readonly retries = new SharedAnswers<LoggedDelivery | null>(() => Date.now());
  private readonly replays = new SharedAnswers<number | null>(() => Date.now());

  constructor(
    private readonly ctx: DurableObjectState,
    /** The context for work that no request asked for. */
    private readonly createCtx: () => BaseCtx,
  ) {}

  private get ref(): WebhookRef | undefined {
    return this.ctx.storage.kv.get<WebhookRef>("ref");
  }

  /** Made when it is needed: an object that is asked for by a name that no webhook has stores nothing. */
  private get sender(): EventSender {
    this.known ??= new EventSender(this.ctx.storage);
    return this.known;
  }

  /** There are new events. */
  async wake(): Promise<void> {
    if (this.ref === undefined) return;
    this.sender.wake();
    await this.runSoon();
  }

  /** The webhook's row was made, changed or deleted, or may have been; nothing is sent any more before it was read. */
  async refresh(ref: WebhookRef, isRestart = false): Promise<WebhookPlace | null> {
    this.ctx.storage.kv.put("ref", ref);
    this.sender.reload(Date.now(), isRestart);
    await this.runSoon();
    return this.sender.place;
  }

  /** Makes up for a wake-up or a notification that was lost. */
  async ensureRunning(ref: WebhookRef): Promise<void> {
    if (this.ref === undefined) await this.refresh(ref);
    else await this.wake();
  }

  /** How far it has come; null where it has not begun. */
  place(): WebhookPlace | null {
    return this.ref === undefined ? null : this.sender.place;
  }

  /** Newest first, one beyond the limit where there are more. */
  listDeliveries(filter: DeliveriesFilter): LoggedDelivery[] {
    return this.sender.list(filter);
  }

  /** Calls the endpoint once, beside the events of the log. */
  sendTest(request: EndpointRequest, requestKey: string | null): Promise<DeliveryAttempt> {
    return this.tests.actOnce(requestKey, async () => (await callEndpoint(this.createCtx(), request)).attempt);
  }

  /** Sends a delivery once more, with all its tries; null where it is not known. */
  retry(id: string, requestKey: string | null): Promise<LoggedDelivery | null> {
    return this.retries.actOnce(requestKey, async () => {
      const { ref } = this;
      const delivery = ref === undefined ? null : this.sender.retry(ref.workspace.id, id, Date.now());
      if (delivery !== null) await this.runSoon();
      return delivery;
    });
  }

  /** Has events sent again; gives how many, or null where too much waits already. */
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
    else if (nextAt < Infinity) await this.ctx.storage.setAlarm(nextAt);
  }

  /** A run that is under way sees to it itself. */
  private async runSoon(): Promise<void> {
    if (this.isRunning) return;
    const alarmAt = await this.ctx.storage.getAlarm();
    if (alarmAt === null || alarmAt > Date.now()) await this.ctx.storage.setAlarm(Date.now());
  }

  /** The webhook is gone: nothing is kept. */
  private async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.known = null;
  }
}
