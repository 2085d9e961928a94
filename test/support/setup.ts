import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, vi } from "vitest";
import { loadChannel } from "../../src/channels/registry.ts";
import { loadApis } from "../../src/entrypoints/features.ts";
import { loadLiveUpdates } from "../../src/entrypoints/live-updates.ts";
import { loadStatusInbox } from "../../src/entrypoints/status-inbox.ts";
import { loadWebhookSender } from "../../src/entrypoints/webhook-sender.ts";

const databases = [env.DB, env.DB_SHARD_1, env.SEPARATE_CONTROL];

for (const database of databases) await applyD1Migrations(database, env.TEST_MIGRATIONS);

// Loading a module takes real time even while a test's clock is stopped. The modules that the Worker imports on demand
// are loaded here, so that no test waits for them.
await Promise.all(["sandbox", "waha", "whatsapp_cloud"].map(loadChannel));
await Promise.all([
  loadApis(),
  loadLiveUpdates(),
  loadStatusInbox(),
  loadWebhookSender(),
  import("../../src/entrypoints/api.ts"),
  import("../../src/entrypoints/queue.ts"),
  import("../../src/entrypoints/scheduled.ts"),
]);

// Vitest compares a `Uint8Array` element by element, which took a minute and a half in all tests together.
expect.addEqualityTesters([
  (a, b) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : undefined),
]);

// While the clock is stopped, the length of a wait only decides the order in which callers continue. Dividing all waits
// by 50 keeps this order and saves time.
const wait = scheduler.wait.bind(scheduler);
Object.defineProperty(scheduler, "wait", {
  value: (ms: number, options?: SchedulerWaitOptions) => wait(vi.isFakeTimers() ? ms / 50 : ms, options),
  configurable: true,
});

async function empty(database: D1Database): Promise<void> {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'd1_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'contact_search*' AND name NOT GLOB 'message_search*'",
    )
    .all<{ name: string }>();
  await database.batch(results.map(({ name }) => database.prepare(`DELETE FROM ${name}`)));
}

// Test files share a process, so each file restores the clock and the mocks and empties the databases.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(scheduler, "wait");
  await Promise.all(databases.map(empty));
});
