import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../src/shared/time/durations.ts";
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
});
