// vitest.config.ts adds these bindings to those of the product.
declare namespace Cloudflare {
  interface Env {
    DB_SHARD_1: D1Database;
    /** Some worlds have a control database that is not shard 0. */
    SEPARATE_CONTROL: D1Database;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    TEST_CONSUMERS: { queue: string; max_batch_size?: number; max_retries?: number }[];
  }
}
