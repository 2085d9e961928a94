import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("who waits", () => {
  const waiting = async (customer: Customer) =>
    (
      await onShard(customer, "SELECT waiting_since FROM conversations WHERE workspace_id = ?", customer.workspaceId)
    ).map(({ waiting_since }) => waiting_since);

  it("is a person from their first message on, until we answer or are done", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.receive(from, "Hi");
    const [first] = await waiting(customer);
    expect(first).toEqual(expect.any(Number));
    customer.world.advance(1000);
    await customer.receive(from, "Hello?");
    expect(await waiting(customer)).toEqual([first]);
    customer.world.advance(1000);
    await customer.send(from, "Here");
    expect(await waiting(customer)).toEqual([null]);
    customer.world.advance(1000);
    await customer.receive(from, "Thanks");
    expect(await waiting(customer)).not.toEqual([null]);
    const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
    await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    expect(await waiting(customer)).toEqual([null]);
  });
});
