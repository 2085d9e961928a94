import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { MINUTE_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { addPeople, campaignOf, change, customerWith, started } from "../../support/campaigns.ts";
import { chunksOf } from "../../support/read-log.ts";
import { lockableCustomer } from "../../support/locked.ts";
import { changesOf, expectLogToTell } from "../../support/rebuild.ts";
import { archive, onShard, steps } from "../../support/storage.ts";
import type { Customer } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const lost: SendOutcome = {
  kind: "lost",
  error: { code: "provider_unreachable", message: "No answer.", providerCode: null },
};

/** Returns the events of a campaign: type, changes and actor. */
const storyOf = async (customer: Customer, id: string) =>
  (await changesOf(customer))
    .filter((event) => event.id === id)
    .map(({ type, changes, actor: [actor, actorId] }) => [type, changes, actorId ?? actor]);

const countTypes = async (customer: Customer) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(await changesOf(customer), ({ type }) => type)).map(([type, events]) => [
      type,
      events?.length,
    ]),
  );

const status = (before: string | null, after: string) => ({ status: [before, after] });

describe("Logs of campaigns", () => {
  it("A campaign's event log contains its start with the key as actor, its end with the system as actor, and one row per lease", async () => {
    const { world, customer } = await customerWith(100);
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1000 });
    const id = await started(customer);
    await world.settle({ copies: 2 });
    expect(await storyOf(customer, id)).toEqual([
      ["campaign.started", status(null, "running"), customer.keyId],
      ["campaign.completed", status("running", "completed"), "system"],
    ]);
    expect(await countTypes(customer)).toEqual({
      "campaign.started": 1,
      "message.sent": 100,
      "message.delivered": 100,
      "message.read": 100,
      "campaign.completed": 1,
    });
    const sent = (await chunksOf(customer)).filter(({ body }) => body[0]?.[0] === "message.sent");
    expect(sent.map(({ count }) => count)).toEqual([100]);
    await expectLogToTell(customer);
  });

  it("A campaign's event log contains one event for its schedule, and one for its start or failure with the reason", async () => {
    const { world, customer } = await customerWith(1);
    const at = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
    const ids = [await started(customer, { scheduled_at: at }), await started(customer, { scheduled_at: at })];
    await onShard(
      customer,
      "UPDATE templates SET status = 'REJECTED' WHERE id = (SELECT template_id FROM campaigns WHERE id = ?)",
      ids[1],
    );
    await world.settle({ copies: 2 });
    const scheduled = [
      "campaign.scheduled",
      { ...status(null, "scheduled"), scheduled_at: [null, at] },
      customer.keyId,
    ];
    expect(await storyOf(customer, ids[0] ?? "")).toEqual([
      scheduled,
      ["campaign.started", status("scheduled", "running"), "system"],
      ["campaign.completed", status("running", "completed"), "system"],
    ]);
    expect(await storyOf(customer, ids[1] ?? "")).toEqual([
      scheduled,
      ["campaign.failed", { ...status("scheduled", "failed"), last_error: [null, "template_not_approved"] }, "system"],
    ]);
    await expectLogToTell(customer);
  });

  it("A campaign's event log contains each pause, resume and cancellation once, with the caller as actor, despite concurrent repeats", async () => {
    const { customer } = await customerWith(3);
    const id = await started(customer, { scheduled_at: new Date(Date.now() + MINUTE_MS).toISOString() });
    const running = await started(customer);
    for (const verb of ["pause", "resume", "pause", "cancel"]) {
      await Promise.all(Array.from({ length: 5 }, () => change(customer, running, verb)));
      await change(customer, running, verb, { "Idempotency-Key": `${verb}-1` });
      await change(customer, running, verb, { "Idempotency-Key": `${verb}-1` });
    }
    await change(customer, id, "cancel");
    const key = customer.keyId;
    expect(await storyOf(customer, running)).toEqual([
      ["campaign.started", status(null, "running"), key],
      ["campaign.paused", status("running", "paused"), key],
      ["campaign.resumed", status("paused", "running"), key],
      ["campaign.paused", status("running", "paused"), key],
      ["campaign.cancelled", status("paused", "cancelled"), key],
    ]);
    expect((await storyOf(customer, id)).at(-1)).toEqual(["campaign.cancelled", status("scheduled", "cancelled"), key]);
    await customer.world.settle();
    expect(await countTypes(customer)).not.toHaveProperty("message.failed");
    await expectLogToTell(customer);
  });

  it("A campaign's event log contains the reason for an automatic pause, and a resume removes this reason", async () => {
    const { world, customer } = await customerWith(30);
    const send = vi.spyOn(sandbox, "send").mockResolvedValue(lost);
    const id = await started(customer);
    await world.settle({ copies: 2, withinMs: 5000 });
    send.mockRestore();
    await change(customer, id, "resume");
    const reason = "provider_unreachable";
    expect(await storyOf(customer, id)).toEqual([
      ["campaign.started", status(null, "running"), customer.keyId],
      ["campaign.paused", { ...status("running", "paused"), last_error: [null, reason] }, "system"],
      ["campaign.resumed", { ...status("paused", "running"), last_error: [reason, null] }, customer.keyId],
    ]);
    await expectLogToTell(customer);
  });

  it("A campaign's event log contains one pause if its template cannot be used", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer);
    await onShard(customer, "UPDATE templates SET status = 'REJECTED' WHERE workspace_id = ?", customer.workspaceId);
    await world.settle({ copies: 2 });
    expect((await storyOf(customer, id)).slice(1)).toEqual([
      ["campaign.paused", { ...status("running", "paused"), last_error: [null, "template_not_approved"] }, "system"],
    ]);
  });

  it("The log shows that a resume after `send_before` completed the campaign", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer, { send_before: new Date(Date.now() + MINUTE_MS).toISOString() });
    await world.queues.deliverDue(world.env);
    await change(customer, id, "pause");
    world.queues.messages.length = 0;
    world.advance(2 * MINUTE_MS);
    await change(customer, id, "resume");
    expect((await storyOf(customer, id)).slice(2)).toEqual([
      ["campaign.resumed", status("paused", "running"), customer.keyId],
      ["campaign.completed", status("running", "completed"), "system"],
    ]);
  });

  it("A campaign's event log is empty after a failed start, and contains one start after a lost response and a repeat", async () => {
    const { customer, faults } = await lockableCustomer();
    await addPeople(customer, 1);
    const order = await campaignOf(customer);
    const start = () => customer.call("POST", "/campaigns", order, { headers: { "Idempotency-Key": "spring" } });
    faults.next(/insert into "campaigns"/, "before");
    await start();
    expect(await countTypes(customer)).not.toHaveProperty("campaign.started");
    faults.next(/insert into "campaigns"/, "after");
    await start();
    const { campaign_id } = (await start()).body;
    expect(await storyOf(customer, campaign_id)).toEqual([
      ["campaign.started", status(null, "running"), customer.keyId],
    ]);
  });
});

describe("Logs of recipients", () => {
  it("Recipients that a lease skips are logged as failed, in the same row as the lease's other recipients", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer);
    await world.queues.deliverDue(world.env);
    const [first] = await onShard(customer, "SELECT id FROM contacts WHERE workspace_id = ?", customer.workspaceId);
    await archive(customer, String(first?.["id"]));
    await world.settle({ copies: 2 });
    expect(await countTypes(customer)).toMatchObject({ "message.failed": 1, "message.read": 2 });
    const [row] = (await chunksOf(customer)).filter(({ body }) => body.some(([type]) => type === "message.failed"));
    expect(row?.body.find(([type]) => type === "message.failed")?.[2]).toEqual({ delivery: ["queued", "failed"] });
    expect(row?.count).toBe(3);
    expect(await storyOf(customer, id)).toHaveLength(2);
    await expectLogToTell(customer);
  });

  it("Recipients of a lost lease are logged as `unknown` once", { tags: "long" }, async () => {
    const { customer, faults, world } = await lockableCustomer();
    await addPeople(customer, 60);
    vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "accepted", providerMessageId: "p" });
    await started(customer);
    faults.lock(steps.settle);
    await world.settle({ withinMs: 20_000 });
    faults.unlock();
    world.queues.messages.length = 0;
    for (let minute = 0; minute < 4; minute++) {
      world.advance(MINUTE_MS);
      await world.cron();
      await world.settle({ copies: 2 });
    }
    const types = await countTypes(customer);
    expect(types["message.unknown"]).toBeGreaterThan(0);
    await expectLogToTell(customer);
  });
});
