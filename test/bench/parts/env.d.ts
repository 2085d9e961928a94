// Bindings that the vitest.config.ts beside this folder sets for benches.
declare namespace Cloudflare {
  interface Env {
    BENCH: Fetcher;
  }
}
