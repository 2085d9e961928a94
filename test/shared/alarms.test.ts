import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setAlarmAt, setAlarmBy } from "../../src/shared/alarms.ts";
import { addPeople, campaign, started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { openLivePage } from "../support/live.ts";
import { hookUp, startReceiving, tellOf } from "../support/receiver.ts";
import { type Customer, World } from "../support/world.ts";

const LATE_MS = 6000;
const HOUR_MS = 3_600_000;

beforeEach(stopClock);

const withStorage = (use: (storage: DurableObjectStorage) => Promise<void>) =>
  runInDurableObject(env.SCAN_TURNS.getByName(crypto.randomUUID()), (_, { storage }) => use(storage));

const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

test("An alarm at or before the current time is set to the next millisecond", () =>
  withStorage(async (storage) => {
    for (const at of [0, Date.now() - 1, Date.now()]) {
      expect(await setAlarmAt(storage, at)).toBe(Date.now() + 1);
      expect(await storage.getAlarm()).toBe(Date.now() + 1);
    }
    expect(await setAlarmAt(storage, Date.now() + 2)).toBe(Date.now() + 2);
  }));

test("A later alarm does not replace an earlier alarm, unless the earlier alarm is more than five seconds late", () =>
  withStorage(async (storage) => {
    const first = Date.now() + 1000;
    const after = async (ms: number) => {
      new World().setTime(first + ms);
      await setAlarmBy(storage, Date.now() + 50_000);
      return ((await storage.getAlarm()) ?? 0) - Date.now();
    };
    expect(await after(-1000)).toBe(50_000);
    await setAlarmBy(storage, first);
    expect(await storage.getAlarm()).toBe(first);
    expect(await after(5000)).toBe(-5000);
    expect(await after(5001)).toBe(50_000);
  }));

type Use = (customer: Customer) => Promise<{ stub: DurableObjectStub; call: () => Promise<unknown> }>;

const pacerOf = ({ connectionId }: Customer) => env.CONNECTION_PACER.getByName(connectionId);

/** Each kind of object with a call that sets its alarm. */
const uses: [object: string, Use][] = [
  [
    "a pacer that was asked for a slot",
    (customer) => {
      const stub = pacerOf(customer);
      const request = { provider: "sandbox", address: "+14155550101", messagesPerSecond: 1, isReturning: false };
      return Promise.resolve({ stub, call: async () => stub.take(request) });
    },
  ],
  [
    "a pacer with a campaign",
    (customer) => {
      const { workspaceId, connectionId } = customer;
      const workspace = { id: workspaceId, number: 1, shard: 0 };
      const running = { workspace, campaignId: "cmp_1", connectionId, messagesPerSecond: 80 };
      const stub = pacerOf(customer);
      return Promise.resolve({ stub, call: async () => stub.run(running) });
    },
  ],
  [
    "a key's limiter",
    (customer) => {
      const stub = env.KEY_LIMITER.getByName(customer.keyId);
      return Promise.resolve({ stub, call: () => customer.call("GET", "/tags") });
    },
  ],
  [
    "a request log",
    (customer) => {
      const stub = env.REQUEST_LOG.getByName(customer.workspaceId);
      return Promise.resolve({ stub, call: () => customer.call("GET", "/tags") });
    },
  ],
  [
    "a clock of a campaign",
    ({ workspaceId }) => {
      const stub = env.CAMPAIGN_CLOCK.getByName(crypto.randomUUID());
      const workspace = { id: workspaceId, number: 1, shard: 0 };
      const at = Date.now() + 1000;
      return Promise.resolve({ stub, call: async () => stub.set({ v: 1, workspace, campaignId: "cmp_1" }, [at]) });
    },
  ],
  [
    "a sender of a webhook",
    async (customer) => {
      const { webhook } = (await customer.call("POST", "/webhooks", { url: "https://example.org/hook", types: ["*"] }))
        .body;
      const stub = env.WEBHOOK_SENDER.getByName(webhook.id);
      return { stub, call: async () => stub.wake() };
    },
  ],
  [
    "live updates",
    async (customer) => {
      await openLivePage(await customer.member("agent"), customer.workspaceId);
      const stub = env.LIVE_UPDATES.getByName(customer.workspaceId);
      return { stub, call: async () => stub.wake() };
    },
  ],
];

test.each(uses)("A lost alarm is set again at the next call: %s", async (_, use) => {
  const world = new World();
  const { stub, call } = await use(await world.customer());
  await call();
  const lost = await alarmOf(stub);
  expect(lost).toBeGreaterThan(Date.now());
  world.setTime(Number(lost) + LATE_MS);
  await call();
  expect(await alarmOf(stub)).toBeGreaterThan(Date.now());
});

test("If the alarm of live updates was lost, a message from an open console page sets it again", async () => {
  const world = new World();
  const customer = await world.customer();
  const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
  const stub = env.LIVE_UPDATES.getByName(customer.workspaceId);
  world.setTime(Number(await alarmOf(stub)) + LATE_MS);
  page.view("cnv_1");
  await page.heard("presence");
  expect(await alarmOf(stub)).toBeGreaterThan(Date.now());
});

test("The cron starts the pump of a running campaign again after its alarm was lost", async () => {
  const world = new World();
  const customer = await world.customer();
  await addPeople(customer, 3);
  const id = await started(customer);
  await world.queues.deliverDue(world.env);
  expect(await alarmOf(pacerOf(customer))).not.toBeNull();
  await runInDurableObject(pacerOf(customer), (_, { storage }) => storage.deleteAlarm());
  world.advance(120_000);
  await world.settle();
  expect(await campaign(customer, id)).toMatchObject({ status: "running", counts: { sent: 0 } });
  await world.cron();
  await world.settle();
  expect(await campaign(customer, id)).toMatchObject({ status: "completed" });
});

test("The cron wakes a webhook once an hour, so that a retry is sent even if its alarm was lost and no new event arrives", async () => {
  const { world, customer, receiver } = await startReceiving();
  const { id } = await hookUp(customer, receiver);
  const madeAt = Date.now();
  receiver.answer = () => new Response("", { status: 500 });
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 60_000 });
  await runInDurableObject(env.WEBHOOK_SENDER.getByName(id), (_, { storage }) => storage.deleteAlarm());
  receiver.answer = () => new Response("");
  const before = receiver.received.length;
  world.setTime(madeAt + HOUR_MS - 60_000);
  await world.cron();
  await world.settle({ withinMs: 0 });
  expect(receiver.received).toHaveLength(before);
  world.advance(60_000);
  await world.cron();
  await world.settle({ withinMs: 0 });
  expect(receiver.received).toHaveLength(before + 1);
});
