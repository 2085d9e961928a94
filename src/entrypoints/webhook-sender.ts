import { DurableObject } from "cloudflare:workers";
import type { WebhookSenderWork } from "../features/webhooks/sending/webhook-sender.object.ts";
import { lazily } from "../shared/memo.ts";
import { createBaseCtx } from "./base-context.ts";

export const loadWebhookSender = lazily(
  async () => (await import("../features/webhooks/sending/webhook-sender.object.ts")).WebhookSenderWork,
);

type Args<Name extends keyof WebhookSenderWork> = Parameters<WebhookSenderWork[Name]>;

export class WebhookSender extends DurableObject<Env> {
  private readonly work: Promise<WebhookSenderWork>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.work = ctx.blockConcurrencyWhile(async () => {
      const Work = await loadWebhookSender();
      return new Work(ctx, () =>
        createBaseCtx(this.env, { actor: { type: "system" }, waitUntil: (work) => ctx.waitUntil(work) }),
      );
    });
  }

  async wake() {
    return (await this.work).wake();
  }

  async refresh(...args: Args<"refresh">) {
    return (await this.work).refresh(...args);
  }

  async ensureRunning(...args: Args<"ensureRunning">) {
    return (await this.work).ensureRunning(...args);
  }

  async place() {
    return (await this.work).place();
  }

  async listDeliveries(...args: Args<"listDeliveries">) {
    return (await this.work).listDeliveries(...args);
  }

  async sendTest(...args: Args<"sendTest">) {
    return (await this.work).sendTest(...args);
  }

  async retry(...args: Args<"retry">) {
    return (await this.work).retry(...args);
  }

  async replay(...args: Args<"replay">) {
    return (await this.work).replay(...args);
  }

  override async alarm(): Promise<void> {
    return (await this.work).alarm();
  }
}
