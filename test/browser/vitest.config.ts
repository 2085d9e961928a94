import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/memory.ts", "test/browser/support/setup.ts"],
    // All test files share one service. Two processes run the files, one file at a time, and each has one browser. A
    // process per file would load Playwright again for each file, which takes a second of CPU time.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 120_000,
    // The same timeout as the browser's. The default is one second.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
  },
});
