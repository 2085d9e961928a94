// Bindings for benches, which test/bench/vitest.config.ts sets.
declare namespace Cloudflare {
  interface Env {
    BENCH: Fetcher;
  }
}
