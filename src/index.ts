import { app } from "./entrypoints/http.ts";
import { freezeObjectPrototype } from "./entrypoints/object-prototype.ts";
import { queue } from "./entrypoints/queue.ts";
import { scheduled } from "./entrypoints/scheduled.ts";

export { CampaignClock } from "./features/campaigns/campaigns.object.ts";
export { ConnectionPacer } from "./features/pacing/pacing.object.ts";
export { KeyLimiter } from "./features/rate-limits/rate-limits.object.ts";

freezeObjectPrototype();

export default { fetch: app.fetch, queue, scheduled } satisfies ExportedHandler<Env>;
