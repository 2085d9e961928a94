import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/memory.ts", "test/browser/support/setup.ts"],
    // All files share one service. Only two run at a time, because each has its own browser and the machine can be
    // small.
    maxWorkers: 2,
    testTimeout: 120_000,
    // As long as the browser waits; the default is one second.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
  },
});
