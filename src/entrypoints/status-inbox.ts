import { DurableObject } from "cloudflare:workers";
import type { StatusInboxWork } from "../features/inbound/status-inbox.object.ts";
import { lazily } from "../shared/memo.ts";
import { createBaseCtx } from "./base-context.ts";

export const loadStatusInbox = lazily(
  async () => (await import("../features/inbound/status-inbox.object.ts")).StatusInboxWork,
);

/** The webhook passes message statuses of one connection to this Durable Object. */
export class StatusInbox extends DurableObject<Env> {
  private readonly work: Promise<StatusInboxWork>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.work = ctx.blockConcurrencyWhile(async () => {
      const Work = await loadStatusInbox();
      return Work.open(ctx, () =>
        createBaseCtx(this.env, { actor: { type: "system" }, waitUntil: (work) => ctx.waitUntil(work) }),
      );
    });
  }

  async accept(...args: Parameters<StatusInboxWork["accept"]>): Promise<void> {
    return (await this.work).accept(...args);
  }

  /** Hands over statuses whose alarm was lost. */
  async check(): Promise<void> {
    return (await this.work).alarm();
  }

  override async alarm(): Promise<void> {
    return (await this.work).alarm();
  }
}
