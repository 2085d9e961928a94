import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";

/**
 * Closes the sockets of pages whose session or membership has ended, or whose member has a new role. Runs in the background,
 * because the objects also check every two minutes.
 */
export function checkOpenPages(ctx: BaseCtx, workspaceIds: readonly string[]): void {
  for (const id of workspaceIds) ctx.waitUntil(askObject(async () => ctx.liveUpdates.getByName(id).checkViewers()));
}
