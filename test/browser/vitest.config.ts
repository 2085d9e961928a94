import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/memory.ts", "test/browser/support/setup.ts"],
    // All files share one service. Two at a time: each has a browser of its own, and the machine may be small.
    maxWorkers: 2,
    testTimeout: 120_000,
    // As long as the browser waits; by default it is a second.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
  },
});
