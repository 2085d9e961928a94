import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, customerWith, numberOf, recipientsOf, started } from "../../../support/campaigns.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

describe("Scheduled campaigns", () => {
  it("A scheduled campaign starts at the scheduled time, with the audience at that time", async () => {
    const { world, customer } = await customerWith(3);
    const at = Date.now() + 10 * 60_000;
    const id = await started(customer, { scheduled_at: iso(at) });
    expect(await campaign(customer, id)).toMatchObject({
      status: "scheduled",
      scheduled_at: iso(at),
      recipient_count: 3,
      counts: { pending: 3 },
      started_at: null,
      audience_ready_at: null,
    });
    await world.settle({ withinMs: at - 1 - Date.now() });
    await world.cron();
    await world.queues.deliverDue(world.env);
    expect((await campaign(customer, id)).status).toBe("scheduled");
    await addPeople(customer, 2, 100);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      recipient_count: 5,
      started_at: iso(at),
      counts: { read: 5 },
    });
  });

  it("A scheduled campaign starts once, even if alarm and cron start it and both run twice", async () => {
    const { world, customer } = await customerWith(30);
    const at = Date.now() + HOUR;
    const id = await started(customer, { scheduled_at: iso(at) });
    world.setTime(at + 100);
    await Promise.all([world.cron(), world.alarms.ringDue(), world.cron()]);
    await world.settle({ copies: 2 });
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 30 } });
    expect(await customer.outbox("?limit=100")).toHaveLength(30);
  });

  it("The cron starts a scheduled campaign if its alarm is lost", async () => {
    const { world, customer } = await customerWith(3);
    const at = Date.now() + HOUR;
    const id = await started(customer, { scheduled_at: iso(at) });
    world.setTime(at + 60_000);
    await world.cron();
    await world.queues.deliverDue(world.env);
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("completed");
  });

  it("A scheduled campaign is not sent if it is more than a day late", async () => {
    const { world, customer } = await customerWith(3);
    const at = Date.now() + HOUR;
    const id = await started(customer, { scheduled_at: iso(at) });
    world.setTime(at + 24 * HOUR + 1);
    await world.cron();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "missed_schedule" });
    expect(await customer.outbox()).toEqual([]);
  });

  it("A campaign that starts late is sent until `send_before`, and after that its recipients are skipped as expired", async () => {
    const { world, customer } = await customerWith(3);
    const at = Date.now() + HOUR;
    const late = await started(customer, { scheduled_at: iso(at), send_before: iso(at + 72 * HOUR) });
    world.setTime(at + 48 * HOUR);
    await world.cron();
    await world.settle();
    expect(await campaign(customer, late)).toMatchObject({ status: "completed", counts: { read: 3 } });
    const later = Date.now() + HOUR;
    const expired = await started(customer, { scheduled_at: iso(later), send_before: iso(later + HOUR) });
    world.setTime(later + 2 * HOUR);
    await world.cron();
    await world.settle();
    expect(await campaign(customer, expired)).toMatchObject({ status: "completed", counts: { skipped: 3, read: 0 } });
    expect((await recipientsOf(customer, expired)).map(({ reason }) => reason)).toEqual([
      "expired",
      "expired",
      "expired",
    ]);
  });

  const obstacles: [string, (customer: Customer) => Promise<unknown>][] = [
    ["no_recipients", (customer) => onShard(customer, "UPDATE contacts SET archived_at = 1")],
    ["template_not_approved", (customer) => onShard(customer, "UPDATE templates SET status = 'REJECTED'")],
    ["connection_unavailable", (customer) => onShard(customer, "UPDATE connections SET status = 'error'")],
    ["audience_invalid", (customer) => onShard(customer, "UPDATE tags SET deleted_at = 1")],
  ];

  it.each(obstacles)("A scheduled campaign that cannot start fails with the reason: %s", async (code, cause) => {
    const world = new World();
    const customer = await world.customer();
    await customer.call("POST", "/contacts", { phone: numberOf(0), tags: ["VIP"] });
    const at = Date.now() + HOUR;
    const id = await started(customer, { scheduled_at: iso(at), filter_tags: ["VIP"] });
    await cause(customer);
    world.setTime(at);
    await world.alarms.ringDue();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: code });
  });
});

describe("send_before", () => {
  it("A campaign ends at `send_before` and skips the remaining recipients as expired", { tags: "long" }, async () => {
    const { world, customer } = await customerWith(100);
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 10 });
    const id = await started(customer, { send_before: iso(Date.now() + 3000) });
    await world.settle();
    const { status, counts } = await campaign(customer, id);
    expect(status).toBe("completed");
    expect(counts.read).toBeGreaterThanOrEqual(20);
    expect(counts.read).toBeLessThanOrEqual(40);
    expect(counts.read + counts.skipped).toBe(100);
    expect(await recipientsOf(customer, id, "skipped")).toHaveLength(counts.skipped);
  });

  it("A paused campaign also completes at `send_before`, and a later resume completes it immediately", async () => {
    const { world, customer } = await customerWith(3);
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1 });
    const make = async () => {
      const id = await started(customer, { send_before: iso(Date.now() + 5000) });
      await world.settle({ withinMs: 100 });
      await customer.call("POST", `/campaigns/${id}/pause`);
      return id;
    };
    const first = await make();
    await world.settle();
    expect(await campaign(customer, first)).toMatchObject({ status: "completed" });
    const second = await make();
    world.advance(10_000);
    const answer = await customer.call("POST", `/campaigns/${second}/resume`);
    expect(answer.body.campaign).toMatchObject({ status: "completed" });
  });
});
