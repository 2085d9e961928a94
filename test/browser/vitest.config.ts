import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/memory.ts", "test/browser/support/setup.ts"],
    // All test files share one service. Two files run at a time, because each file has its own browser.
    maxWorkers: 2,
    testTimeout: 120_000,
    // The same timeout as the browser's. The default is one second.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
  },
});
