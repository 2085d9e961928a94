import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { forEachConcurrently } from "../../shared/chunks.ts";
import { selectWebhooksToWake } from "./webhooks.sql.ts";

/**
 * The process that appends events can die before it wakes the webhooks. The sweep therefore wakes webhooks of
 * workspaces that had events within this time.
 */
const RECENT_MS = 10 * MINUTE_MS;
const AT_ONCE = 6;

/**
 * Wakes webhooks whose wake-up was lost. The alarm of a retry can also be lost, so each webhook is woken at least once
 * an hour.
 */
export async function sweepWebhooks(base: BaseCtx, shard: number): Promise<void> {
  const now = base.now();
  const minute = Math.floor(now / MINUTE_MS) % 60;
  const webhooks = await selectWebhooksToWake(base.shard(shard), { since: now - RECENT_MS, minute });
  await forEachConcurrently(webhooks, AT_ONCE, async ({ id, workspaceId, workspaceNumber }) => {
    const ref = { id, workspace: { id: workspaceId, number: workspaceNumber, shard } };
    try {
      await askObject(async () => base.webhookSenders.getByName(id).ensureRunning(ref));
    } catch (error) {
      log.error("webhook_not_woken", { requestId: base.requestId, webhookId: id, error });
    }
  });
}
