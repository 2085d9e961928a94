import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { HAND_OVER_MS } from "../../../src/features/inbound/status-blocks.ts";
import { unreachableInboxes } from "../../support/bindings.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { playInEachTest } from "../../support/providers/linked.ts";
import type { Status } from "../../support/providers/stand-in.ts";
import { countsOf } from "../../support/recipients.ts";
import { soon } from "../../support/soon.ts";
import { inboxOf, queuedStatuses, StatusPosts, storedIn } from "../../support/status-inboxes.ts";
import { costOf, faultyWorld, databasesThrough } from "../../support/storage.ts";
import { World } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const STATUSES: Status[] = ["sent", "delivered", "read"];
/** The statement that applies statuses. */
const APPLY = /AS to_state/;
const NO_TIMER = { STATUS_FLUSH_MS: "1000000000" };

const posts = new StatusPosts(() => cloud);
const logged = (): string[] =>
  vi.spyOn(console, "error").mock.calls.map(([line]) => String(JSON.parse(String(line)).event));

describe("Status inboxes", () => {
  it("A single status is applied immediately, without a queue message or stored row, and the next one without a KV read", async () => {
    const { world, customer, sent } = await posts.sentCampaign(2, new World(NO_TIMER));
    const [first, second] = sent.recipients;
    if (first === undefined || second === undefined) throw new Error("Two recipients are needed.");
    expect(costOf(await posts.post(customer, posts.statusOf(first, "delivered")), "kv")).toMatchObject({ reads: 1 });
    const answer = await posts.post(customer, posts.statusOf(second, "read"));
    expect(answer.body).toEqual({ success: true, events: 1 });
    expect(costOf(answer)).toMatchObject({ trips: 0 });
    expect(costOf(answer, "kv")).toMatchObject({ reads: 0 });
    expect(costOf(answer, "queue")).toMatchObject({ sends: 0 });
    expect(costOf(answer, "do")).toMatchObject({ calls: 1 });
    expect(await countsOf(customer, sent)).toEqual({ delivered: 1, read: 1 });
    expect(await storedIn(customer)).toEqual({ blocks: 0, alarm: null });
    world.advance(30_000);
    expect(costOf(await posts.post(customer, posts.statusOf(second, "read")), "kv")).toMatchObject({ reads: 1 });
  });

  it("Statuses in quick succession are stored in one row before the response, and applied together two seconds later", async () => {
    const { world, customer, sent } = await posts.sentCampaign(20);
    const start = Date.now();
    await posts.postEach(customer, sent, "delivered");
    expect(await countsOf(customer, sent)).toEqual({ sent: 15, delivered: 5 });
    expect(await storedIn(customer)).toEqual({ blocks: 1, alarm: start + HAND_OVER_MS });
    await world.settle();
    expect(Date.now()).toBe(start + HAND_OVER_MS);
    expect(await countsOf(customer, sent)).toEqual({ delivered: 20 });
    expect(await storedIn(customer)).toEqual({ blocks: 0, alarm: null });
    expect(queuedStatuses(world)).toBe(0);
  });

  async function expectExact(people: number, messages_per_second: number): Promise<void> {
    const { world, customer, sent } = await posts.sentCampaign(people);
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second });
    const all = sent.recipients.flatMap((recipient) => STATUSES.map((status) => posts.statusOf(recipient, status)));
    const shuffled = [...all, ...all].map((status) => ({ status, at: Math.random() })).toSorted((a, b) => a.at - b.at);
    const answers = await Promise.all(shuffled.map(({ status }) => posts.post(customer, status)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await world.settle();
    expect(await countsOf(customer, sent)).toEqual({ read: people });
    expect(queuedStatuses(world)).toBe(0);
  }

  it("Statuses that arrive twice and shuffled over several inboxes result in exact counts", () => expectExact(25, 300));

  it("Statuses that arrive twice and shuffled result in exact counts if one block of an inbox is too small for them", () =>
    expectExact(100, 100));

  it("Statuses go to the queue if their inbox cannot be reached", async () => {
    const { world, customer, sent } = await posts.sentCampaign(2, new World({ STATUS_INBOX: unreachableInboxes() }));
    await posts.postEach(customer, sent, "read");
    expect([queuedStatuses(world), logged()]).toEqual([2, ["status_inbox_failed", "status_inbox_failed"]]);
    await world.settle();
    expect(await countsOf(customer, sent)).toEqual({ read: 2 });
  });

  it("Statuses are rejected with 503 if neither their inbox nor the queue accepts them", async () => {
    const { world, customer, sent } = await posts.sentCampaign(1, new World({ STATUS_INBOX: unreachableInboxes() }));
    vi.spyOn(world.env.STATUSES_QUEUE, "sendBatch").mockRejectedValueOnce(new Error("Queue is overloaded"));
    const [recipient] = sent.recipients;
    const answer = await posts.post(customer, ...(recipient ? [posts.statusOf(recipient, "read")] : []));
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
  });

  it("If the shard fails, a status inbox sends its statuses to the queue, one queue message per provider request", async () => {
    const { world, faults } = faultyWorld();
    const { customer, sent } = await posts.sentCampaign(8, world);
    await posts.postEach(customer, sent, "sent");
    faults.next(APPLY);
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(logged()).toContain("statuses_left_to_queue");
    expect(await storedIn(customer)).toEqual({ blocks: 0, alarm: null });
    faults.lock(APPLY);
    await posts.postEach(customer, sent, "read");
    await world.alarms.handOverStatuses();
    expect(queuedStatuses(world)).toBe(8);
    faults.unlock();
    await world.settle();
    expect(await countsOf(customer, sent)).toEqual({ read: 8 });
  });

  it("If both shard and queue fail, statuses stay in their inbox, and are applied when the shard works again", async () => {
    const { world, faults } = faultyWorld();
    const { customer, sent } = await posts.sentCampaign(3, world);
    faults.lock(APPLY);
    const sendBatch = vi
      .spyOn(world.env.STATUSES_QUEUE, "sendBatch")
      .mockRejectedValue(new Error("Queue is overloaded"));
    await posts.postEach(customer, sent, "delivered");
    await world.alarms.handOverStatuses();
    const { blocks, alarm } = await storedIn(customer);
    expect([blocks, logged().includes("statuses_not_handed_over")]).toEqual([expect.any(Number), true]);
    expect(blocks).toBeGreaterThan(0);
    expect(alarm).toBeGreaterThanOrEqual(Date.now() + 2 * HAND_OVER_MS);
    faults.unlock();
    await world.settle();
    expect(await countsOf(customer, sent)).toEqual({ delivered: 3 });
    expect(await storedIn(customer)).toEqual({ blocks: 0, alarm: null });
    sendBatch.mockRestore();
  });

  it("If the shard is slow, statuses are stored before the response, so that the provider does not wait", async () => {
    const shard = { isSlow: false };
    const passage = {
      run: async <T>(statement: string, work: () => Promise<T>) => {
        while (shard.isSlow && APPLY.test(statement)) await new Promise((resolve) => setTimeout(resolve));
        return work();
      },
    };
    const { world, customer, sent } = await posts.sentCampaign(1, new World(databasesThrough(passage)));
    shard.isSlow = true;
    await posts.postEach(customer, sent, "delivered");
    expect(await countsOf(customer, sent)).toEqual({ sent: 1 });
    expect((await storedIn(customer)).blocks).toBe(1);
    await world.alarms.handOverStatuses();
    shard.isSlow = false;
    await soon(async () => expect(await storedIn(customer)).toMatchObject({ blocks: 0 }));
    expect(await countsOf(customer, sent)).toEqual({ delivered: 1 });
  });

  it("If a status inbox is evicted, its alarm applies the statuses that it has stored", async () => {
    const { customer, sent } = await posts.sentCampaign(10);
    await posts.postEach(customer, sent, "delivered");
    await evictDurableObject(inboxOf(customer));
    expect((await storedIn(customer)).blocks).toBe(1);
    expect(await runDurableObjectAlarm(inboxOf(customer))).toBe(true);
    expect(await countsOf(customer, sent)).toEqual({ delivered: 10 });
    expect((await storedIn(customer)).blocks).toBe(0);
  });

  it("If a status inbox loses its alarm, a timer applies the statuses two seconds after the alarm was due", async () => {
    const { world, customer, sent } = await posts.sentCampaign(10);
    const timers = vi.spyOn(globalThis, "setTimeout");
    await posts.postEach(customer, sent, "delivered");
    const late = timers.mock.calls.findLast(([, ms]) => ms === 2 * HAND_OVER_MS)?.[0];
    await runInDurableObject(inboxOf(customer), (_, { storage }) => storage.deleteAlarm());
    world.advance(2 * HAND_OVER_MS);
    await runInDurableObject(inboxOf(customer), () => late?.());
    await soon(async () => expect(await countsOf(customer, sent)).toEqual({ delivered: 10 }));
  });

  it("A status with another workspace's message id changes nothing", async () => {
    const { world, sent, customer: owner } = await posts.sentCampaign(1);
    const { customer: stranger } = await posts.sentCampaign(1, world);
    await posts.postEach(stranger, sent, "read");
    await world.settle();
    expect(await countsOf(owner, sent)).toEqual({ sent: 1 });
  });

  it("A request with more statuses than one queue message holds goes to the queue in several messages, not to an inbox", async () => {
    const { world, customer, sent } = await posts.sentCampaign(150);
    const answer = await posts.post(customer, ...sent.recipients.map((recipient) => posts.statusOf(recipient, "read")));
    expect(answer.body).toEqual({ success: true, events: 150 });
    expect([queuedStatuses(world), costOf(answer, "do")]).toEqual([2, { calls: 0 }]);
    await world.settle();
    expect(await countsOf(customer, sent)).toEqual({ read: 150 });
  });

  it("A deleted connection rejects statuses immediately, although it accepted an earlier status", async () => {
    const { customer, sent } = await posts.sentCampaign(1);
    await posts.postEach(customer, sent, "delivered");
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await customer.manage("DELETE", `/connections/${customer.connectionId}`)).status).toBe(200);
    const [recipient] = sent.recipients;
    expect((await posts.post(customer, ...(recipient ? [posts.statusOf(recipient, "read")] : []))).status).toBe(401);
  });

  it("A connection that an earlier version cached in KV without its sending rate is read from the database once", async () => {
    const { world, customer, sent } = await posts.sentCampaign(1);
    const key = `conn:${customer.connectionId}`;
    const { messagesPerSecond: _, ...earlier } =
      (await world.env.CACHE.get<Record<string, unknown>>(key, "json")) ?? {};
    await world.env.CACHE.put(key, JSON.stringify(earlier));
    await posts.postEach(customer, sent, "delivered");
    expect(await countsOf(customer, sent)).toEqual({ delivered: 1 });
    expect(await world.env.CACHE.get(key, "json")).toMatchObject({ messagesPerSecond: 80 });
  });
});
