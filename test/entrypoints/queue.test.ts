import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import worker from "../../src/index.ts";
import { stopClock } from "../support/clock.ts";
import { eventMessageFor, inboundEvent, Outage } from "../support/outage.ts";
import { noteDelays } from "../support/queues.ts";
import { faultyWorld, onShard } from "../support/storage.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

interface Sent {
  body: unknown;
  attempts?: number;
}

async function deliver(world: World, queue: string, sent: Sent[]) {
  const messages = sent.map(({ body, attempts = 1 }, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  const ctx = createExecutionContext();
  const delays = noteDelays(batch);
  await worker.queue(batch, world.env, ctx);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx);
  const retried = retryMessages.map(({ msgId }) => ({ msgId, delaySeconds: delays.get(msgId) }));
  return { acked: explicitAcks.toSorted(), retried };
}

/** An inbound event of a customer, as the sandbox sends it to the queue. */
async function eventFor(customer: Customer, from: string): Promise<unknown> {
  await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text: "Hello" });
  return customer.world.queues.messages.pop()?.body;
}

const conversations = async (customer: Customer) => (await customer.call("GET", "/conversations")).body.conversations;

describe("Queues", () => {
  it("A message on a queue without a consumer causes an error", async () => {
    await expect(deliver(new World(), "tidings-unheard-of", [{ body: {} }])).rejects.toThrow(/no consumer/);
  });

  it("A message that a full database rejects is logged as database_full and retried", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const body = await eventFor(customer, "+14155550101");
    faults.next(/INSERT INTO messages/, "before", "D1_ERROR: Exceeded maximum DB size");
    faults.next(/INSERT INTO messages/, "before", "D1_ERROR: Exceeded maximum DB size");
    expect((await deliver(world, "tidings-events", [{ body, attempts: 100 }])).retried).toHaveLength(1);
    expect(String(log.mock.calls.at(-1)?.[0])).toContain("database_full");
  });

  it.each(["tidings-events", "tidings-statuses", "tidings-staging-events"])(
    "Processed queue messages are acknowledged, and only failed queue messages are retried: %s",
    async (queue) => {
      const world = new World();
      const customer = await world.customer();
      const good = await Promise.all(["+14155550101", "+14155550102"].map((from) => eventFor(customer, from)));
      const result = await deliver(world, queue, [
        { body: good[0] },
        { body: { v: 99 }, attempts: 3 },
        { body: good[1] },
        { body: null },
      ]);
      expect(result).toEqual({
        acked: ["m0", "m2"],
        retried: [
          { msgId: "m1", delaySeconds: 8 },
          { msgId: "m3", delaySeconds: 2 },
        ],
      });
      expect(await conversations(customer)).toHaveLength(2);
    },
  );

  it("The delay between retries of a queue message increases up to half an hour", async () => {
    const attempts = [1, 2, 5, 9, 10, 50];
    const outage = new Outage();
    const customer = await outage.world().customer();
    const body = await eventFor(customer, "+14155550104");
    outage.database = true;
    const { retried } = await deliver(
      customer.world,
      "tidings-events",
      attempts.map((each) => ({ body, attempts: each })),
    );
    expect(retried.map(({ delaySeconds }) => delaySeconds)).toEqual([2, 4, 32, 512, 1024, 1800]);
  });

  it("A provider event is listed as dead after ten failed attempts, but is retried for longer while the database fails", async () => {
    const outage = new Outage();
    const customer = await outage.world().customer();
    const body = await eventMessageFor(customer, inboundEvent("from nobody", null));
    const at = (attempts: number) => deliver(customer.world, "tidings-events", [{ body, attempts }]);
    const dead = async () => (await customer.manage("GET", "/events/dead")).body.events;
    expect((await at(9)).retried).toEqual([{ msgId: "m0", delaySeconds: 512 }]);
    expect(await dead()).toEqual([]);
    outage.database = true;
    expect((await at(10)).retried).toEqual([{ msgId: "m0", delaySeconds: 1024 }]);
    outage.database = false;
    expect((await at(11)).acked).toEqual(["m0"]);
    expect(await dead()).toMatchObject([{ payload: { event: { body: "from nobody" } } }]);
  });

  it.each(["tidings-events-dead", "tidings-statuses-dead"])(
    "A provider event in a dead-letter queue is stored with its reason and payload: %s",
    async (queue) => {
      const world = new World();
      const customer = await world.customer();
      const event = await eventFor(customer, "+14155550103");
      const { acked } = await deliver(world, queue, [{ body: event }]);
      expect(acked).toEqual(["m0"]);
      const letters = await onShard(
        customer,
        "SELECT * FROM dead_letters WHERE workspace_id = ?",
        customer.workspaceId,
      );
      expect(letters).toMatchObject([{ queue: "events", reason: expect.any(String), created_at: Date.now() }]);
      expect(JSON.parse(String(letters[0]?.["payload"]))).toEqual(event);
    },
  );

  it("Messages in the dead-letter queue of direct sends are acknowledged, because the sweep finds their rows", async () => {
    const { acked, retried } = await deliver(new World(), "tidings-direct-dead", [{ body: {} }, { body: null }]);
    expect([acked, retried]).toEqual([["m0", "m1"], []]);
  });

  it("The stored time of an API key's last use is the latest reported time, even if reports arrive out of order", async () => {
    const world = new World();
    const [first, second] = [await world.customer(), await world.customer()];
    const at = Date.parse("2026-11-20T10:00:00.000Z");
    const { acked, retried } = await deliver(world, "tidings-usage", [
      { body: { keyId: first.keyId, at: at + 60_000 } },
      { body: { keyId: first.keyId, at } },
      { body: { keyId: second.keyId, at } },
      { body: { keyId: "key_unknown", at } },
      { body: { keyId: "a'b\"c", at } },
      { body: { at } },
    ]);
    expect([acked, retried.length]).toEqual([["m0", "m1", "m2", "m3", "m4"], 1]);
    const used = async (each: Customer) =>
      (await each.manage("GET", `/api-keys/${each.keyId}`)).body.api_key.last_used_at;
    expect(await used(first)).toBe("2026-11-20T10:01:00.000Z");
    expect(await used(second)).toBe("2026-11-20T10:00:00.000Z");
  });
});
