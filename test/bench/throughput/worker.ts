// The product, with additions for the bench: grants without work, and counts of deliveries and of rows.
import product from "../../../src/index.ts";
import { meter } from "../../../src/http/response/cost.ts";
import type { Grant } from "../../../src/features/pacing/pacing.schemas.ts";

// The Durable Objects.
export * from "../../../src/index.ts";

/** The grant is so old that a consumer skips it without reading anything. */
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

const rows = { rows_read: 0, rows_written: 0 };

async function countRows<T>(env: Env, work: (metered: Env) => Promise<T> | T): Promise<T> {
  const { env: metered, header } = meter(env);
  const result = await work(metered);
  const counts = /^d1;desc="trips=\d+ statements=\d+ rows_read=(?<read>\d+) rows_written=(?<written>\d+)"/.exec(
    header(),
  );
  rows.rows_read += Number(counts?.groups?.["read"]);
  rows.rows_written += Number(counts?.groups?.["written"]);
  return result;
}

export default {
  ...product,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/costs") return Response.json(rows);
    if (pathname !== "/bench/stale-grants") return countRows(env, (metered) => product.fetch(request, metered, ctx));
    if (request.method === "POST") await enqueueStale(env, Number(searchParams.get("count")));
    return Response.json(delivered);
  },
  async queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
    await countRows(env, (metered) => product.queue(batch, metered, ctx));
    if (batch.queue !== "tidings-campaign") return;
    if (delivered.count === 0) delivered.firstAt = Date.now();
    delivered.count += batch.messages.length;
    delivered.lastAt = Date.now();
  },
};
