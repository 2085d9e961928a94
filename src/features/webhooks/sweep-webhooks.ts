import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { forEachConcurrently } from "../../shared/chunks.ts";
import { selectRecentWebhooks } from "./webhooks.sql.ts";

/** Covers workspaces with events within this time. A wake is lost if its process dies. */
const RECENT_MS = 10 * MINUTE_MS;
/** The platform allows six connections at a time. */
const AT_ONCE = 6;

/** Waking a running webhook has no effect. */
export async function sweepWebhooks(base: BaseCtx, shard: number): Promise<void> {
  const webhooks = await selectRecentWebhooks(base.shard(shard), base.now() - RECENT_MS);
  await forEachConcurrently(webhooks, AT_ONCE, async ({ id, workspaceId, workspaceNumber }) => {
    const ref = { id, workspace: { id: workspaceId, number: workspaceNumber, shard } };
    try {
      await askObject(async () => base.webhookSenders.getByName(id).ensureRunning(ref));
    } catch (error) {
      log.error("webhook_not_woken", { requestId: base.requestId, webhookId: id, error });
    }
  });
}
