import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { type OpenWebhook, openWebhook } from "../open-webhook.ts";
import { changeStatus } from "../webhooks.changes.ts";
import { statusChanges, type Transition } from "../webhooks.retries.ts";
import { selectWebhook, updateWebhookRow } from "../webhooks.sql.ts";

/** We read the webhook again after this time, because the notification of a change can be lost. */
const RELOAD_MS = 60_000;

export class CurrentWebhook {
  private loaded: OpenWebhook | null | undefined;
  private loadedAt = 0;
  private changes = 0;

  constructor(private readonly follow: (ctx: Ctx, webhook: OpenWebhook) => Promise<void>) {}

  get inMemory(): OpenWebhook | null | undefined {
    return this.loaded;
  }

  discard(): void {
    this.changes++;
    this.loaded = undefined;
  }

  async get(ctx: Ctx, id: string): Promise<OpenWebhook | null> {
    if (this.loaded !== undefined && ctx.now() - this.loadedAt < RELOAD_MS) return this.loaded;
    const { changes } = this;
    const [record] = await selectWebhook(ctx, id);
    const webhook = record === undefined ? null : await openWebhook(ctx, record);
    if (webhook !== null) await this.follow(ctx, webhook);
    // If the webhook changed while it was read, this copy is outdated and not kept. The next call then reads it again.
    if (changes === this.changes) this.loaded = webhook;
    this.loadedAt = ctx.now();
    return webhook;
  }

  /** Writes nothing if a user has changed the status since it was read. */
  async change(ctx: Ctx, id: string, transition: Transition): Promise<void> {
    const { from, to, reason } = statusChanges[transition];
    const now = ctx.now();
    try {
      await decideAndCommit(ctx, {
        shape: null,
        reads: { webhooks: selectWebhook(ctx, id) },
        decide({ webhooks: [webhook] }) {
          if (webhook === undefined || !from.includes(webhook.status)) return { writes: [], events: [], answer: null };
          const changed = changeStatus(webhook, { status: to, reason, isRequested: false }, now);
          return { writes: updateWebhookRow(ctx, webhook, changed.webhook), events: changed.events, answer: null };
        },
      });
    } catch (error) {
      log.error("webhook_status_not_stored", { requestId: ctx.requestId, webhookId: id, status: to, error });
    }
    this.discard();
  }
}
