// Bindings that vitest.config.ts adds to the product's bindings.
declare namespace Cloudflare {
  interface Env {
    DB_SHARD_1: D1Database;
    /** The control database of worlds in which shard 0 is a different database. */
    SEPARATE_CONTROL: D1Database;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** The consumers in wrangler.toml. */
    TEST_CONSUMERS: { queue: string; max_batch_size?: number; max_retries?: number }[];
  }
}
