import { expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { campaign, customerWith, recipientsOf, started } from "../../support/campaigns.ts";
import { expand, phones, reportStatuses, settleLease } from "../../support/recipients.ts";
import { onShard } from "../../support/storage.ts";
import { World } from "../../support/world.ts";

it("A campaign's cost adds up the billed messages by category, each message once and in any order", async () => {
  const customer = await new World().customer();
  const { id: campaignId, recipients } = await expand(customer, phones(3));
  await settleLease(customer, recipients, () => ({ outcome: { kind: "accepted", providerMessageId: "p-1" } }));
  const ids = recipients.map(({ id }) => id);
  const price = (billable: boolean, category: string) => ({ billable, category, type: "regular" });
  const reports: Parameters<typeof reportStatuses>[1] = [
    { id: ids[0] ?? "", status: "delivered", price: price(true, "marketing") },
    { id: ids[1] ?? "", status: "read", price: price(false, "utility") },
    { id: ids[2] ?? "", status: "delivered" },
  ];
  const cost = async () => {
    const [row] = await onShard(customer, "SELECT cost FROM tallies WHERE campaign_id = ?", campaignId);
    return JSON.parse(String(row?.["cost"]));
  };
  expect(await cost()).toBeNull();
  for (let copy = 0; copy < 2; copy++) await reportStatuses(customer, reports);
  const first = { marketing: { billable: 1, free: 0 }, utility: { billable: 0, free: 1 } };
  expect(await cost()).toEqual(first);
  await reportStatuses(customer, [
    { id: ids[2] ?? "", status: "read", price: price(true, "marketing") },
    { id: ids[0] ?? "", status: "read", price: price(true, "service") },
    { id: ids[1] ?? "", status: "delivered", price: price(true, "marketing") },
  ]);
  const last = {
    marketing: { billable: 1, free: 0 },
    service: { billable: 1, free: 0 },
    utility: { billable: 0, free: 1 },
  };
  expect(await cost()).toEqual(last);
});

it("A price that arrives after later statuses is still added once, and changes nothing else", async () => {
  const customer = await new World().customer();
  const { id: campaignId, recipients } = await expand(customer, phones(2));
  await settleLease(customer, recipients, () => ({ outcome: { kind: "accepted", providerMessageId: "p-1" } }));
  const [first = "", second = ""] = recipients.map(({ id }) => id);
  const price = { billable: true, category: "marketing", type: "regular" };
  await reportStatuses(customer, [
    { id: first, status: "read" },
    { id: second, status: "failed" },
  ]);
  const before = await onShard(customer, "SELECT * FROM messages WHERE campaign_id = ? ORDER BY id", campaignId);
  for (let copy = 0; copy < 2; copy++)
    await reportStatuses(customer, [
      { id: first, status: "delivered", price },
      { id: second, status: "sent", price },
    ]);
  const after = await onShard(customer, "SELECT * FROM messages WHERE campaign_id = ? ORDER BY id", campaignId);
  const paid = { billable: 1, price_category: "marketing", price_type: "regular" };
  expect(after).toEqual(before.map((row) => ({ ...row, ...paid, sent_at: row["sent_at"] })));
  const [tally] = await onShard(customer, "SELECT * FROM tallies WHERE campaign_id = ?", campaignId);
  expect(JSON.parse(String(tally?.["cost"]))).toEqual({ marketing: { billable: 2, free: 0 } });
  expect(tally).toMatchObject({ read: 1, failed: 1, delivered: 0, sent: 0 });
});

it("A campaign's cost equals the sum of its messages' prices, even after repeated statuses", async () => {
  stopClock();
  const { world, customer } = await customerWith(5);
  const id = await started(customer);
  await world.settle({ copies: 2 });
  const cost = { service: { billable: 0, free: 5 } };
  expect(await campaign(customer, id)).toMatchObject({ status: "completed", cost });
  const reconciled = (await customer.manage("POST", `/campaigns/${id}/reconcile`)).body;
  expect(reconciled).toMatchObject({ differences: {}, cost: { stored: cost, actual: cost } });
  for (const { message_id } of await recipientsOf(customer, id))
    expect((await customer.message(message_id)).cost).toEqual({
      billable: false,
      category: "service",
      type: "free_customer_service",
    });
});
