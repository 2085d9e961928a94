// What vitest.config.ts beside this folder binds for benches.
declare namespace Cloudflare {
  interface Env {
    BENCH: Fetcher;
  }
}
