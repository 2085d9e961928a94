// The product, with what a bench of its queue needs besides: grants that nobody has any use for, and how many were delivered.
import product from "../../../src/index.ts";
import type { Grant } from "../../../src/features/pacing/pacing.schemas.ts";

export { CampaignClock, ConnectionPacer, KeyLimiter, ScanTurns } from "../../../src/index.ts";

/** So long out of date that a consumer looks at nothing else. */
const stale: Grant = {
  v: 1,
  workspace: { id: "", number: 0, shard: 0 },
  campaignId: "",
  connectionId: "",
  grantId: "",
  size: 1,
  at: 0,
};

const delivered = { count: 0, firstAt: 0, lastAt: 0 };

async function enqueueStale({ CAMPAIGN_QUEUE }: Env, count: number): Promise<void> {
  delivered.count = 0;
  for (let left = count; left > 0; left -= 100)
    await CAMPAIGN_QUEUE.sendBatch(Array.from({ length: Math.min(left, 100) }, () => ({ body: stale })));
}

export default {
  ...product,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/stale-grants") return product.fetch(request, env, ctx);
    if (request.method === "POST") await enqueueStale(env, Number(searchParams.get("count")));
    return Response.json(delivered);
  },
  async queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
    await product.queue(batch, env, ctx);
    if (batch.queue !== "tidings-campaign") return;
    if (delivered.count === 0) delivered.firstAt = Date.now();
    delivered.count += batch.messages.length;
    delivered.lastAt = Date.now();
  },
};
