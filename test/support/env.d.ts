// Bindings that vitest.config.ts adds to the product's bindings.
declare namespace Cloudflare {
  interface Env {
    DB_SHARD_1: D1Database;
    /** For worlds whose control database is not shard 0. */
    SEPARATE_CONTROL: D1Database;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** The consumers in wrangler.toml. */
    TEST_CONSUMERS: { queue: string; max_batch_size?: number; max_retries?: number }[];
  }
}
