import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";

/**
 * Closes the sockets of pages whose session or membership has ended, or whose member has another role. In the background: the objects
 * look by themselves every two minutes, too.
 */
export function checkOpenPages(ctx: BaseCtx, workspaceIds: readonly string[]): void {
  for (const id of workspaceIds) ctx.waitUntil(askObject(async () => ctx.liveUpdates.getByName(id).checkViewers()));
}
