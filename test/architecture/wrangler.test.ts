import { describe, expect, it } from "vitest";
import { unstable_readConfig as readWranglerConfig } from "wrangler";

interface Consumer {
  queue: string;
  max_retries?: number;
  max_concurrency?: number | null;
  dead_letter_queue?: string;
}

const config = readWranglerConfig({ config: "wrangler.toml" });
const consumers: Consumer[] = config.queues.consumers ?? [];
const producers: { queue: string }[] = config.queues.producers;
/** Only these environments have these bindings. */
const EVENTS = ["tidings-events", "tidings-events-dead", "tidings-statuses", "tidings-statuses-dead"];

describe("wrangler.toml", () => {
  it.each(consumers)("The consumer of the queue $queue limits its retries and its concurrency", (consumer) => {
    expect(consumer.max_retries).toBeGreaterThan(0);
    expect(consumer.max_concurrency).toBeGreaterThan(0);
    if (EVENTS.includes(consumer.queue)) expect(consumer.max_retries).toBe(100);
  });

  it("Every queue and every dead-letter queue in wrangler.toml has a consumer", () => {
    const named = [
      ...producers.map(({ queue }) => queue),
      ...consumers.flatMap(({ dead_letter_queue: dead }) => dead ?? []),
    ];
    expect(named.filter((name) => !consumers.some(({ queue }) => queue === name))).toEqual([]);
  });

  it("wrangler.toml blocks requests to private addresses, and contains no ids of databases or namespaces", () => {
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
    expect(config.r2_buckets).toEqual([{ binding: "MEDIA", bucket_name: "tidings-media" }]);
    expect(
      [...config.d1_databases, ...config.kv_namespaces].filter((each) => "database_id" in each || "id" in each),
    ).toEqual([]);
  });
});
