import { beforeEach, describe, expect, it } from "vitest";
import { change, customerWith, numberOf, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { reportStatuses } from "../../support/recipients.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding } from "../../support/world.ts";

beforeEach(stopClock);

const SPAN = 600_000;

/** Returns the stored figures of a campaign's messages, over time and by reason. */
async function detailsOf(customer: Customer, id: string) {
  const [row] = await onShard(customer, "SELECT timeline, reasons FROM tallies WHERE campaign_id = ?", id);
  const timeline: Record<string, number> = JSON.parse(String(row?.["timeline"]));
  return {
    timeline: Object.entries(timeline).filter(([, count]) => count > 0),
    reasons: JSON.parse(String(row?.["reasons"])),
  };
}

/** Returns the counts of each reason in the recipients' rows. */
async function reasonsInRows(customer: Customer, id: string) {
  const rows = await onShard(
    customer,
    "SELECT error_code, count(*) AS n FROM messages WHERE campaign_id = ? AND state IN (4, 7) GROUP BY error_code",
    id,
  );
  return Object.fromEntries(rows.map(({ error_code, n }) => [String(error_code), Number(n)]));
}

describe("Figures over time and by reason", () => {
  it("A campaign's figures show when messages were sent, delivered and read, and why messages failed, even after repeated reports", async () => {
    const { world, customer } = await customerWith(20);
    for (const ending of ["0001", "0001", "0002", "0003"])
      await customer.call("POST", "/contacts", { phone: phoneEnding(ending), name: "Hard to reach" });
    const id = await started(customer);
    await onShard(customer, "UPDATE contacts SET name = NULL WHERE phone = ?", numberOf(4));
    const first = Math.floor(Date.now() / SPAN);
    await world.settle({ copies: 3 });
    const { timeline, reasons } = await detailsOf(customer, id);
    const sumOf = (state: string) =>
      timeline.filter(([key]) => key.endsWith(` ${state}`)).reduce((sum, [, count]) => sum + count, 0);
    const { counts } = (await customer.call("GET", `/campaigns/${id}`)).body.campaign;
    expect(reasons).toEqual(await reasonsInRows(customer, id));
    expect(reasons).toEqual({ missing_variable: 1, invalid_recipient: 2 });
    expect([sumOf("sent"), sumOf("delivered"), sumOf("read"), sumOf("failed")]).toEqual([
      counts.sent + counts.delivered + counts.read,
      counts.delivered + counts.read,
      counts.read,
      counts.failed,
    ]);
    for (const [key] of timeline) expect(Number(key.split(" ")[0])).toBeGreaterThanOrEqual(first);
  });

  it("A campaign's figures do not contain a failure if a later report proves the delivery", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { body: "Hi" });
    await world.settle();
    await onShard(
      customer,
      "UPDATE tallies SET read = 1, failed = 1, reasons = '{\"undeliverable\":1}' WHERE campaign_id = ?",
      id,
    );
    await onShard(
      customer,
      "UPDATE messages SET state = 4, error_code = 'undeliverable' WHERE campaign_id = ? AND id LIKE '%00000000'",
      id,
    );
    const [row] = await onShard(customer, "SELECT id FROM messages WHERE campaign_id = ? AND state = 4", id);
    await reportStatuses(customer, [{ id: String(row?.["id"]), status: "read" }]);
    expect((await detailsOf(customer, id)).reasons).toEqual({});
    expect((await customer.call("GET", `/campaigns/${id}`)).body.campaign.counts).toMatchObject({ read: 2, failed: 0 });
  });

  it("A campaign's timeline has at most 1,500 entries, and later messages are still counted", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { body: "Hi" });
    await change(customer, id, "pause");
    const long = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`${n} delivered`, 1]));
    await onShard(customer, "INSERT INTO tallies (campaign_id, timeline) VALUES (?, ?)", id, JSON.stringify(long));
    await change(customer, id, "resume");
    await world.settle();
    expect((await detailsOf(customer, id)).timeline).toHaveLength(1500);
    expect((await customer.call("GET", `/campaigns/${id}`)).body.campaign.counts).toMatchObject({ read: 2 });
  });
});
