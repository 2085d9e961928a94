import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../src/shared/time/durations.ts";
import { override } from "../../support/override.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { playInEachTest } from "../../support/providers/linked.ts";
import type { Status } from "../../support/providers/stand-in.ts";
import { countsOf } from "../../support/recipients.ts";
import { inboxOf, queuedChecks, StatusPosts, storedIn } from "../../support/status-inboxes.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const posts = new StatusPosts(() => cloud);

const logged = (): string[] =>
  vi.spyOn(console, "error").mock.calls.map(([line]) => String(JSON.parse(String(line)).event));

describe("Checks of status inboxes", () => {
  it("Statuses whose alarm is lost and whose inbox is evicted are applied by a check from the queue", async () => {
    const { world, customer, sent } = await posts.sentCampaign(10);
    await posts.postEach(customer, sent, "delivered");
    await evictDurableObject(inboxOf(customer));
    await runInDurableObject(inboxOf(customer), (_, { storage }) => storage.deleteAlarm());
    world.advance(19 * MINUTE_MS);
    await world.queues.deliverDue(world.env);
    expect(await countsOf(customer, sent)).toEqual({ sent: 5, delivered: 5 });
    world.advance(MINUTE_MS);
    await world.queues.deliverDue(world.env, 2);
    expect(await countsOf(customer, sent)).toEqual({ delivered: 10 });
    expect(await storedIn(customer)).toMatchObject({ blocks: 0 });
  });

  it("An inbox queues one check for the statuses of 19 minutes, also if the queue rejects it first, and none for a status that is applied at once", async () => {
    const { world, customer, sent } = await posts.sentCampaign(8);
    const [first, ...others] = sent.recipients;
    await posts.postEach(customer, { ...sent, recipients: first ? [first] : [] }, "sent");
    expect(queuedChecks(world)).toBe(0);
    vi.spyOn(world.env.STATUSES_QUEUE, "sendBatch").mockRejectedValueOnce(new Error("Queue is overloaded"));
    const burst = async (status: Status) => {
      await posts.postEach(customer, { ...sent, recipients: others }, status);
      await world.settle();
    };
    await burst("sent");
    expect([queuedChecks(world), logged()]).toEqual([1, ["status_inbox_check_not_queued"]]);
    await burst("delivered");
    await burst("read");
    expect(queuedChecks(world)).toBe(1);
    await world.settle({ withinMs: 21 * MINUTE_MS });
    expect([queuedChecks(world), await countsOf(customer, sent)]).toEqual([0, { sent: 1, read: 7 }]);
  });

  /**
   * Delivers a due check to an inbox that fails, together with a status. Statuses of five other recipients have lost
   * their alarm, so that only a check finds them.
   */
  async function failingCheck() {
    const { world, customer, sent } = await posts.sentCampaign(10);
    await posts.postEach(customer, sent, "delivered");
    await evictDurableObject(inboxOf(customer));
    await runInDurableObject(inboxOf(customer), (_, { storage }) => storage.deleteAlarm());
    world.advance(20 * MINUTE_MS);
    const check = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("The inbox failed.")));
    const accept = () => Promise.reject(new Error("The inbox failed."));
    const inboxes = world.env.STATUS_INBOX;
    world.env.STATUS_INBOX = override(inboxes, { get: () => ({ check }), getByName: () => ({ accept }) });
    await posts.postEach(customer, { recipients: sent.recipients.slice(0, 1) }, "read");
    vi.spyOn(console, "error").mockClear();
    await world.queues.deliverDue(world.env);
    const repair = () => (world.env.STATUS_INBOX = inboxes);
    return { world, customer, sent, check, repair };
  }

  it("If the check of a status inbox fails, statuses of the same batch are applied once, and the check is repeated alone", async () => {
    const { world, customer, sent, check, repair } = await failingCheck();
    expect(await countsOf(customer, sent)).toEqual({ sent: 5, delivered: 4, read: 1 });
    expect(check).toHaveBeenCalledTimes(1);
    expect([queuedChecks(world), logged()]).toEqual([1, ["status_inbox_check_failed"]]);
    repair();
    await world.settle({ withinMs: 2 * MINUTE_MS });
    expect([queuedChecks(world), await countsOf(customer, sent)]).toEqual([0, { delivered: 9, read: 1 }]);
  });

  it("A status inbox whose check always fails is checked five times, and no dead event is stored", async () => {
    const { world, customer, check } = await failingCheck();
    await world.settle({ withinMs: 120 * MINUTE_MS });
    expect([check.mock.calls.length, queuedChecks(world)]).toEqual([5, 0]);
    expect(logged()).toEqual(Array.from({ length: 5 }, () => "status_inbox_check_failed"));
    expect((await customer.manage("GET", "/events/dead")).body.events).toEqual([]);
  });
});
