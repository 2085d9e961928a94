import { expect, it } from "vitest";
import { onShard } from "../support/storage.ts";
import { type Customer, World } from "../support/world.ts";

const isTime = (value: unknown) =>
  typeof value === "number" ? value > 1e12 : !Number.isNaN(Date.parse(String(value)));

/** Replaces the values that differ between two customers of the same kind: ids, times and the end of the key. */
function withoutIds(name: string, value: unknown): unknown {
  if (name === "last_four") return "…";
  if (/(?:^|_)at$/.test(name) && value !== null) return isTime(value) ? "time" : value;
  return typeof value === "string" ? value.replaceAll(/(ws|conn|key|evt)_[0-9a-z]{26}/g, "$1_…") : value;
}

async function storedFor(customer: Customer): Promise<unknown> {
  const { workspaceId, world } = customer;
  const stored = {
    workspace: (await world.manage("GET", `/workspaces/${workspaceId}`)).body.workspace,
    connections: (await customer.manage("GET", "/connections")).body.connections,
    keys: (await customer.manage("GET", "/api-keys")).body.api_keys,
    events: (await customer.call("GET", "/events")).body.events,
    rows: await onShard(customer, "SELECT * FROM connections WHERE workspace_id = ?", workspaceId),
  };
  return JSON.parse(JSON.stringify(stored), withoutIds);
}

it("A seeded workspace and its events equal those that the management API creates", async () => {
  const world = new World();
  const created = await storedFor(await world.createCustomer());
  expect(await storedFor(await world.customer())).toEqual(created);
  expect(created).toMatchObject({
    rows: [{ provider: "sandbox" }],
    events: [{ type: "connection.created" }, { type: "api_key.created" }],
  });
});
