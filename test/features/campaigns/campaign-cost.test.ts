import { expect, it } from "vitest";
import { expand, phones, reportStatuses, settleLease } from "../../support/recipients.ts";
import { onShard } from "../../support/storage.ts";
import { World } from "../../support/world.ts";

it("a campaign adds up what the provider bills by category, each message once, in any order", async () => {
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
