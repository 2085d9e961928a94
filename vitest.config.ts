import { createHash } from "node:crypto";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { unstable_readConfig as readWranglerConfig } from "wrangler";

const outsideTheWorker = [
  "test/architecture/**",
  "test/bench/**",
  "test/browser/**",
  "test/process/**",
  "test/unit/**",
];

// Queues deliver nothing by themselves in tests: each producer writes to a queue that nobody consumes.
const { queues } = readWranglerConfig({ config: "wrangler.toml" });
const producers: { binding: string; queue: string }[] = queues.producers;
const heldQueues = Object.fromEntries(producers.map(({ binding, queue }) => [binding, { queueName: `${queue}-held` }]));

type Options = NonNullable<Exclude<Parameters<typeof cloudflareTest>[0], (...args: never) => unknown>>;

/** Runs test files inside workerd, with the product's bindings, two shards and what else they are given. */
export const inWorkerd = (serviceBindings: NonNullable<Options["miniflare"]>["serviceBindings"] = {}) =>
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      d1Databases: { DB_SHARD_1: "tidings-shard-1", SEPARATE_CONTROL: "tidings-control" },
      queueProducers: heldQueues,
      serviceBindings,
      bindings: {
        ADMIN_TOKEN: "test-admin-token",
        ENCRYPTION_KEY: createHash("sha256").update("test key").digest("base64"),
        ENCRYPTION_KEY_PREVIOUS: "",
        CHECK_ROWS: "true",
        EXPOSE_COST: "true",
        ALLOW_PRIVATE_UPSTREAMS: "true",
        FAST_PASSWORDS: "true",
        REQUEST_LOG_DELAY_MS: "0",
        STATUS_FLUSH_MS: "0",
        PUBLIC_URL: "https://tidings.test",
        TEST_MIGRATIONS: await readD1Migrations("drizzle"),
        TEST_CONSUMERS: queues.consumers ?? [],
      },
    },
  }));

export default defineConfig({
  test: {
    silent: "passed-only",
    tags: [{ name: "long", description: "Takes seconds, or proves at full size what a small run proves as well." }],
    globalSetup: ["test/support/memory.ts", "test/support/documentation.ts"],
    projects: [
      {
        // Pure parts and what the code itself is asked, in plain Node.
        test: {
          name: "unit",
          include: ["test/{architecture,unit}/**/*.test.ts"],
          isolate: false,
          testTimeout: 120_000,
          maxWorkers: "100%",
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [inWorkerd()],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: outsideTheWorker,
          setupFiles: ["test/support/setup.ts"],
          // Loading the Worker anew for every file took more time than the tests.
          isolate: false,
          // One workerd a core; by default one core is left idle.
          maxWorkers: "100%",
          // Passwords are slow to check by design, campaigns of one send a lease take long, and the machine may be busy.
          hookTimeout: 120_000,
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // In plain Node, after the others, as these start real processes. Two at a time: they spend most of their time waiting.
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          globalSetup: "test/process/setup.ts",
          // Loading wrangler anew for every file takes a second of CPU time.
          isolate: false,
          maxWorkers: 2,
          // A start compiles the Worker; on a busy machine that alone may take a minute, and some tests start it twice.
          hookTimeout: 240_000,
          testTimeout: 240_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
