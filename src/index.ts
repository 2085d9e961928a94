import { app } from "./entrypoints/http.ts";
import { freezeObjectPrototype } from "./entrypoints/object-prototype.ts";

export { CampaignClock } from "./features/campaigns/campaigns.object.ts";
export { EventFeed } from "./features/event-feed/event-feed.object.ts";
export { LiveUpdates } from "./entrypoints/live-updates.ts";
export { ConnectionPacer } from "./features/pacing/pacing.object.ts";
export { KeyLimiter } from "./features/rate-limits/rate-limits.object.ts";
export { RequestLog } from "./features/request-log/request-log.object.ts";
export { ScanTurns } from "./features/scans/scans.object.ts";
export { StatusInbox } from "./entrypoints/status-inbox.ts";
export { WebhookSender } from "./entrypoints/webhook-sender.ts";

freezeObjectPrototype();

/** Loads the code of jobs on first use, because this code would slow the start of a Worker. */
export default {
  fetch: app.fetch,
  queue: async (batch, env, executionCtx) => (await import("./entrypoints/queue.ts")).queue(batch, env, executionCtx),
  scheduled: async (controller, env, executionCtx) =>
    (await import("./entrypoints/scheduled.ts")).scheduled(controller, env, executionCtx),
} satisfies ExportedHandler<Env>;
