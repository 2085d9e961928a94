import { defineConfig } from "vitest/config";
import { inWorkerd } from "../../vitest.config.ts";
import { host } from "./host.ts";

export default defineConfig({
  plugins: [inWorkerd({ BENCH: host })],
  test: {
    include: ["test/bench/parts/*.bench.ts"],
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 600_000,
    // The test deletes a million contacts at the end.
    hookTimeout: 600_000,
  },
});
