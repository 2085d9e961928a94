import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { state } from "../../../src/features/messages/messages.states.ts";
import { stopClock } from "../../support/clock.ts";
import { eventMessageFor, inboundEvent, Outage } from "../../support/outage.ts";
import { hookUp, startReceiving, tellOf } from "../../support/receiver.ts";
import { override } from "../../support/override.ts";
import { onShard } from "../../support/storage.ts";
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

  const { shards, control_database_bytes: bytes } = await statusOf(customer.world);
  expect(bytes).toBeGreaterThan(100_000);
  expect(shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1]);
  expect(shards).toContainEqual({
    shard: expect.any(Number),
    database_bytes: expect.any(Number),
    queued_messages: 1,
    oldest_due_seconds: 180,
    running_campaigns: 0,
    dead_events: 1,
    oldest_dead_event_seconds: 60,
    overdue_webhooks: [],
  });
});

test("The status lists a webhook whose oldest unsent event is ten minutes old and had no attempt", async () => {
  const { world, customer, receiver } = await startReceiving();
  const { id } = await hookUp(customer, receiver);
  const overdue = async () =>
    (await statusOf(world)).shards.flatMap((shard: { overdue_webhooks: string[] }) => shard.overdue_webhooks);
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  world.advance(11 * MINUTE_MS);
  expect(await overdue()).toEqual([]);
  await tellOf(customer, ["ct_2"]);
  expect(await overdue()).toEqual([]);
  world.advance(11 * MINUTE_MS);
  expect(await overdue()).toEqual([id]);
  await world.settle({ withinMs: 0 });
  expect(await overdue()).toEqual([]);
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
    unreachable: ["control database", "shard 0", "shard 1"],
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
