import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { state } from "../../../src/features/messages/messages.states.ts";
import { addPeople, change, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { eventMessageFor, inboundEvent, Outage } from "../../support/outage.ts";
import { hookUp, startReceiving, tellOf } from "../../support/receiver.ts";
import { override } from "../../support/override.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { phoneEnding, World } from "../../support/world.ts";

const MINUTE_MS = 60_000;

let printed: { level: string; event: string }[];

beforeEach(() => {
  stopClock();
  printed = [];
  const note = (line: unknown) => void printed.push(JSON.parse(String(line)));
  vi.spyOn(console, "log").mockImplementation(note);
  vi.spyOn(console, "error").mockImplementation(note);
});

const statusOf = async (world: World) => (await world.manage("GET", "/status")).body.status;

test("The status shows due messages, dead events and the sizes of the databases", async () => {
  const customer = await new World().customer();
  const { body } = await customer.send(phoneEnding("1234"));
  await onShard(
    customer,
    "UPDATE messages SET state = ?, next_attempt_at = ? WHERE id = ?",
    state.queued,
    Date.now() - 2 * MINUTE_MS,
    body.message_id,
  );
  await customer.world.queues
    .binding("tidings-events-dead")
    .send(await eventMessageFor(customer, inboundEvent("a", null)));
  await customer.world.queues.deliverDue(customer.world.env);
  customer.world.advance(MINUTE_MS);

  const { shards, control_database_bytes: bytes, version } = await statusOf(customer.world);
  expect(version).toEqual({ id: expect.any(String), tag: expect.any(String) });
  expect(bytes).toBeGreaterThan(100_000);
  expect(shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1]);
  expect(shards).toContainEqual({
    shard: expect.any(Number),
    database_bytes: expect.any(Number),
    queued_messages: 1,
    oldest_due_seconds: 180,
    running_campaigns: 0,
    stopped_campaigns: [],
    failing_connections: [],
    dead_events: 1,
    oldest_dead_event_seconds: 60,
    dead_event_workspaces: [customer.workspaceId],
    overdue_webhooks: [],
  });
  await customer.world.settle();
});

test("The status counts scheduled messages that are due, and shows whether sending is on", async () => {
  const customer = await new World({ SENDING: "off" }).customer();
  const { world } = customer;
  const send_at = new Date(Date.now() + MINUTE_MS).toISOString();
  await customer.call("POST", "/messages", { to: phoneEnding("1234"), text: "Later", send_at });
  const due = async () => {
    const { shards, sending } = await statusOf(world);
    const [shard] = shards.filter((each: { queued_messages: number }) => each.queued_messages > 0);
    return { sending, queued: shard?.queued_messages, seconds: shard?.oldest_due_seconds };
  };
  expect(await due()).toEqual({ sending: "off", queued: undefined, seconds: undefined });
  world.advance(3 * MINUTE_MS);
  expect(await due()).toEqual({ sending: "off", queued: 1, seconds: 120 });
  Object.assign(world.env, { SENDING: "on" });
  expect((await statusOf(world)).sending).toBe("on");
});

test("The status lists connections that cannot send and campaigns that Tidings paused, not those that people paused", async () => {
  const customer = await new World().customer();
  const { world, workspaceId: workspace_id, connectionId: id } = customer;
  await addPeople(customer, 1);
  const stopped = await started(customer, { body: "Hello" });
  const paused = await started(customer, { body: "Hello again" });
  await change(customer, paused, "pause");
  await onShard(
    customer,
    "UPDATE campaigns SET status = 'paused', last_error = 'too_many_failures' WHERE id = ?",
    stopped,
  );
  await onShard(customer, "UPDATE connections SET status = 'disconnected', status_at = 1 WHERE id = ?", id);
  const { shards } = await statusOf(world);
  const ofCustomer = (list: "failing_connections" | "stopped_campaigns") =>
    shards
      .flatMap((shard: Record<typeof list, { workspace_id: string }[]>) => shard[list])
      .filter((each: { workspace_id: string }) => each.workspace_id === workspace_id);
  expect(ofCustomer("failing_connections")).toEqual([{ workspace_id, id, status: "disconnected" }]);
  expect(ofCustomer("stopped_campaigns")).toEqual([{ workspace_id, id: stopped, last_error: "too_many_failures" }]);
});

test("The status lists a webhook whose oldest unsent event is ten minutes old and had no attempt", async () => {
  const { world, customer, receiver } = await startReceiving();
  const { id } = await hookUp(customer, receiver);
  const overdue = async () =>
    (await statusOf(world)).shards.flatMap((shard: { overdue_webhooks: object[] }) => shard.overdue_webhooks);
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  world.advance(11 * MINUTE_MS);
  expect(await overdue()).toEqual([]);
  await tellOf(customer, ["ct_2"]);
  expect(await overdue()).toEqual([]);
  world.advance(11 * MINUTE_MS);
  expect(await overdue()).toEqual([{ workspace_id: customer.workspaceId, id }]);
  await world.settle({ withinMs: 0 });
  expect(await overdue()).toEqual([]);
});

test("The status shows a shard whose webhooks cannot be read, and names its webhooks as unreachable", async () => {
  const { world, faults } = faultyWorld();
  faults.lock(/from "webhooks"/);
  const { shards, unreachable } = await statusOf(world);
  expect(shards).toMatchObject([
    { shard: 0, database_bytes: expect.any(Number), overdue_webhooks: null },
    { shard: 1, database_bytes: expect.any(Number), overdue_webhooks: null },
  ]);
  expect(unreachable).toEqual(["webhooks of shard 0", "webhooks of shard 1"]);
  faults.unlock();
});

test("The status counts the dead events in the bucket and names databases that do not respond", async () => {
  const earlier = await bindings.MEDIA.list({ prefix: "dead/" }); // of other test files
  await bindings.MEDIA.delete(earlier.objects.map(({ key }) => key));
  const outage = new Outage();
  const world = outage.world();
  const customer = await world.customer();
  const message = await eventMessageFor(customer, inboundEvent("a", null));
  outage.database = true;
  await world.queues.binding("tidings-events-dead").send(message);
  await world.queues.deliverDue(world.env);
  world.advance(MINUTE_MS);

  expect(await statusOf(world)).toMatchObject({
    control_database_bytes: null,
    shards: [],
    queues: expect.arrayContaining([{ queue: "events", messages: 0, oldest_seconds: null }]),
    dead_events_in_bucket: 1,
    oldest_dead_event_in_bucket_seconds: 60,
    unreachable: ["control database", "shard 0", "shard 1", "webhooks of shard 0", "webhooks of shard 1"],
  });
  outage.database = false;
});

test("The status shows how many messages wait in a queue and for how long", async () => {
  const oldestMessageTimestamp = new Date(Date.now() - 90_000);
  const metrics = () => Promise.resolve({ backlogCount: 7, backlogBytes: 700, oldestMessageTimestamp });
  const broken = () => Promise.reject(new Error("The queue does not respond."));
  const world = new World();
  Object.assign(world.env, {
    MEDIA_QUEUE: { ...world.env.MEDIA_QUEUE, metrics },
    JOBS_QUEUE: { ...world.env.JOBS_QUEUE, metrics: broken },
  });
  const { queues, unreachable } = await statusOf(world);
  expect(queues).toContainEqual({ queue: "media", messages: 7, oldest_seconds: 90 });
  expect(unreachable).toEqual(["queue jobs"]);
});

test("Only the operator can read the status of the deployment", async () => {
  const customer = await new World().customer();
  const { world } = customer;
  expect((await world.request("GET", "/manage/v1/status", undefined, { token: customer.key })).status).toBe(401);
  const owner = await customer.member("owner");
  expect((await owner.request("GET", "/manage/v1/status")).status).toBe(403);
  expect((await world.manage("GET", "/status")).status).toBe(200);
});

test("The cron logs the status of the deployment each minute", async () => {
  const world = new World();
  await world.cron();
  expect(printed.filter(({ event }) => event === "status")).toEqual([
    expect.objectContaining({ level: "info", unreachable: [], queues: expect.any(Array), shards: expect.any(Array) }),
  ]);
});

test("The cron logs an error each hour while a database is over half of its limit", async () => {
  const DB_SHARD_1 = override(bindings.DB_SHARD_1, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await bindings.DB_SHARD_1.batch(statements);
      return results.map((result) => ({ ...result, meta: { ...result.meta, size_after: 7_200_000_000 } }));
    },
  });
  const databases = { DB: bindings.DB, DB_SHARD_1 };
  const world = new World(databases);
  world.setTime(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
  for (let minute = 0; minute < 2; minute++) {
    await world.cron();
    world.advance(MINUTE_MS);
  }
  expect(printed.filter(({ event }) => event === "database_filling")).toEqual([
    { level: "error", event: "database_filling", database: "shard 1", bytes: 7_200_000_000, percent: 70 },
  ]);
});

test("The cron requests HEARTBEAT_URL after a run without failed jobs, and logs a response other than 2xx", async () => {
  const outage = new Outage();
  const world = outage.world();
  Object.assign(world.env, { HEARTBEAT_URL: "https://monitor.test/ping/secret" });
  let answer = () => Promise.resolve(new Response("OK"));
  const fetched = vi.fn<typeof fetch>(() => answer());
  vi.stubGlobal("fetch", fetched);

  await world.cron();
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(["https://monitor.test/ping/secret"]);
  answer = () => Promise.resolve(new Response("", { status: 404 }));
  await world.cron();
  answer = () => Promise.reject(new Error("Connection refused."));
  await world.cron();
  expect(printed.filter(({ event }) => event === "heartbeat_failed")).toEqual([
    { level: "error", event: "heartbeat_failed", status: 404 },
    expect.objectContaining({ error: expect.objectContaining({ message: "Connection refused." }) }),
  ]);
  expect(JSON.stringify(printed)).not.toContain("monitor.test");

  outage.database = true;
  await expect(world.cron()).rejects.toThrow("scheduled jobs failed");
  outage.database = false;
  expect(fetched).toHaveBeenCalledTimes(3);
  vi.unstubAllGlobals();
});

test("While a search index is missing, the cron sends its heartbeat and logs `search_index_missing` once a run", async () => {
  const { world, faults } = faultyWorld();
  Object.assign(world.env, { HEARTBEAT_URL: "https://monitor.test/ping/secret" });
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response("OK")));
  vi.stubGlobal("fetch", fetched);
  const missing = (index: string) =>
    faults.next(new RegExp(`${index}_idx`), "before", `D1_ERROR: no such table: ${index}_idx: SQLITE_ERROR`);
  await world.cron();
  expect(printed.filter(({ event }) => event === "search_index_missing")).toEqual([]);
  missing("contact_search");
  missing("contact_search");
  await world.cron();
  expect(faults.spent).toBe(true);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(printed.filter(({ event }) => ["search_index_missing", "scheduled_job_failed"].includes(event))).toEqual([
    expect.objectContaining({ event: "search_index_missing", requestId: expect.any(String) }),
  ]);
  vi.unstubAllGlobals();
});
