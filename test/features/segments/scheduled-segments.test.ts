import { beforeEach, describe, expect, it } from "vitest";
import { campaign, change, customerWith, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { readLog } from "../../support/read-log.ts";
import type { Customer } from "../../support/world.ts";

beforeEach(stopClock);

const filter = { match: "all", conditions: [{ field: "phone", op: "is_set" }] };

const remove = (customer: Customer, id: string, headers = {}) =>
  customer.call("DELETE", `/segments/${id}`, undefined, { headers });

/** A segment, and a campaign to the segment in an hour. */
async function scheduled() {
  const { world, customer } = await customerWith(2);
  const { segment } = (await customer.call("POST", "/segments", { name: "Reachable", filter })).body;
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const id = await started(customer, { segment_id: segment.id, scheduled_at });
  return { world, customer, id, segment: segment.id, scheduled_at };
}

describe("Segments of scheduled campaigns", () => {
  it("A segment of a scheduled campaign can only be deleted after the campaign is cancelled or has a different audience", async () => {
    const { customer, id, segment } = await scheduled();
    const key = { "Idempotency-Key": "delete-1" };
    for (const headers of [{}, key]) {
      const refused = await remove(customer, segment, headers);
      expect([refused.status, refused.body.error]).toMatchObject([
        409,
        { code: "conflict", details: { campaign_id: id } },
      ]);
    }
    expect((await customer.call("GET", `/segments/${segment}`)).status).toBe(200);
    expect((await readLog(customer)).filter(({ type }) => type === "segment.deleted")).toEqual([]);
    await customer.call("PATCH", `/campaigns/${id}`, { segment_id: null });
    const deleted = await remove(customer, segment, key);
    expect([deleted.status, deleted.body.segment.id]).toEqual([200, segment]);
    expect((await remove(customer, segment, key)).body).toEqual(deleted.body);
    expect((await campaign(customer, id)).status).toBe("scheduled");

    const other = await scheduled();
    await change(other.customer, other.id, "cancel");
    expect((await remove(other.customer, other.segment)).status).toBe(200);
  });

  it("A segment can be deleted after its campaign has started, and the campaign keeps its audience", async () => {
    const { world, customer, id, segment, scheduled_at } = await scheduled();
    world.setTime(Date.parse(scheduled_at));
    await world.alarms.ringDue(await world.alarms.list());
    await world.cron();
    await world.queues.deliverDue(world.env);
    expect((await campaign(customer, id)).started_at).not.toBeNull();
    expect((await remove(customer, segment)).status).toBe(200);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 2 } });
  });

  it("Deleting a segment of another workspace returns 404, and campaigns with other segments do not prevent a deletion", async () => {
    const { world, customer, segment } = await scheduled();
    expect((await remove(await world.customer(), segment)).status).toBe(404);
    const other = (await customer.call("POST", "/segments", { name: "Other", filter })).body.segment;
    expect((await remove(customer, other.id)).status).toBe(200);
  });
});
