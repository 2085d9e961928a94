import { LiveUpdatesObject } from "../features/live-updates/live-updates.object.ts";
import type { BaseCtx } from "../shared/context.ts";
import { createBaseCtx } from "./base-context.ts";

/** Pushes what changes in a workspace to the members who have its console open. */
export class LiveUpdates extends LiveUpdatesObject {
  protected override createCtx(): BaseCtx {
    return createBaseCtx(this.env, { actor: { type: "system" }, waitUntil: (work) => this.ctx.waitUntil(work) });
  }
}
