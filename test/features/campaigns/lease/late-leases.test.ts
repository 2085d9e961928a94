import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, differences, started } from "../../../support/campaigns.ts";
import { lockableCustomer } from "../../../support/locked.ts";
import { interceptSettlements } from "../../../support/queues.ts";
import { onShard, steps } from "../../../support/storage.ts";
import { createTemplate } from "../../../support/templates.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const accepted = (providerMessageId: string): SendOutcome => ({ kind: "accepted", providerMessageId });
const busy: SendOutcome = {
  kind: "retry",
  error: { code: "rate_limited", message: "Too many.", providerCode: "429" },
};
const refused: SendOutcome = {
  kind: "refused",
  error: { code: "undeliverable", message: "Not reachable.", providerCode: "1" },
};

/** A campaign whose leases were sent but not settled. `release` sends the held settlements to the queue. */
async function sentWhileLocked({ customer, world, faults }: Awaited<ReturnType<typeof lockableCustomer>>, fields = {}) {
  const held: unknown[] = [];
  const queue = interceptSettlements(world, (body) => held.push(body));
  faults.lock(steps.settle);
  const id = await started(customer, fields);
  await world.settle({ withinMs: 15_000 });
  faults.unlock();
  const release = async () => {
    for (const body of held) await queue.sendBatch([{ body }]);
  };
  return { id, held, release };
}

describe("Unsettled leases", () => {
  async function lockedLease(people: number) {
    const made = await lockableCustomer();
    await addPeople(made.customer, people);
    return { ...made, ...(await sentWhileLocked(made)) };
  }

  it("If storage fails when a lease is settled, the queue settles the lease later, and no message is sent twice", async () => {
    const { customer, world, id, held, release } = await lockedLease(60);
    expect(held.length).toBeGreaterThan(0);
    await release();
    for (let minute = 0; minute < 4; minute++) {
      await world.settle({ copies: 2 });
      world.advance(60_000);
      await world.cron();
    }
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      counts: { read: 60, unknown: 0, pending: 0 },
    });
    expect(await differences(customer, id)).toEqual({});
    const ids = await onShard(
      customer,
      "SELECT provider_message_id FROM messages WHERE campaign_id = ? AND provider_message_id IS NULL",
      id,
    );
    expect(ids).toEqual([]);
    const to = await onShard(
      customer,
      "SELECT address FROM sandbox_deliveries WHERE connection_id = ?",
      customer.connectionId,
    );
    expect([to.length, new Set(to.map(({ address }) => address)).size]).toEqual([60, 60]);
  });

  it("A late settlement still applies after the sweep has set the lease's messages to `unknown`, and updates the counts", async () => {
    vi.spyOn(sandbox, "send").mockImplementation(async (_, { id, to }) =>
      to.endsWith("0") ? refused : to.endsWith("1") ? busy : accepted(id),
    );
    const { customer, world, id, release } = await lockedLease(20);
    for (let minute = 0; minute < 4; minute++) {
      world.advance(60_000);
      await world.cron();
      await world.settle();
    }
    const before = await campaign(customer, id);
    expect(before).toMatchObject({ status: "completed", counts: { unknown: 20, pending: 0 } });
    for (let copy = 0; copy < 2; copy++) {
      await release();
      await world.settle();
      const { status, counts } = await campaign(customer, id);
      expect({ status, counts }).toMatchObject({
        status: "completed",
        counts: { unknown: 0, failed: 4, sent: 16, pending: 0 },
      });
      expect(await differences(customer, id)).toEqual({});
    }
    const reasons = await onShard(
      customer,
      "SELECT error_code, count(*) AS n FROM messages WHERE campaign_id = ? AND state = 4 GROUP BY error_code ORDER BY 1",
      id,
    );
    expect(reasons).toEqual([
      { error_code: "rate_limited", n: 2 },
      { error_code: "undeliverable", n: 2 },
    ]);
  });

  it("The settlement of a lease with long texts is split into several queue messages", { tags: "long" }, async () => {
    vi.spyOn(sandbox, "send").mockImplementation(async (_, { id }) => accepted(id));
    const made = await lockableCustomer();
    const { customer, world } = made;
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 400 });
    await addPeople(customer, 300);
    const { id, held, release } = await sentWhileLocked(made, {
      template_id: await createTemplate(customer, "書".repeat(4000)),
    });
    expect(held.length).toBeGreaterThan(3);
    for (const body of held) expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(128_000);
    await release();
    for (let minute = 0; minute < 4; minute++) {
      await world.settle();
      world.advance(60_000);
      await world.cron();
    }
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 300, unknown: 0 } });
    const bodies = await onShard(customer, "SELECT DISTINCT length(body) AS n FROM messages WHERE campaign_id = ?", id);
    expect(bodies).toEqual([{ n: 4000 }]);
  });

  it("If the settlement of a lease fails, a second attempt stores it completely", async () => {
    const { customer, world, faults } = await lockableCustomer();
    await addPeople(customer, 30);
    faults.next(steps.settle);
    const id = await started(customer);
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 30, unknown: 0 } });
    expect(await onShard(customer, "SELECT taken - answered AS open FROM campaigns WHERE id = ?", id)).toEqual([
      { open: 0 },
    ]);
  });
});
