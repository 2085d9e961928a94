import { WebhookSenderObject } from "../features/webhooks/webhooks.object.ts";
import type { BaseCtx } from "../shared/context.ts";
import { createBaseCtx } from "./base-context.ts";

/** Sends the events of a workspace's log to one webhook. */
export class WebhookSender extends WebhookSenderObject {
  protected override createCtx(): BaseCtx {
    return createBaseCtx(this.env, { actor: { type: "system" }, waitUntil: (work) => this.ctx.waitUntil(work) });
  }
}
