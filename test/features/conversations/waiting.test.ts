import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { customerWith, numberOf, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Unanswered people", () => {
  const waiting = async (customer: Customer) =>
    (
      await onShard(customer, "SELECT waiting_since FROM conversations WHERE workspace_id = ?", customer.workspaceId)
    ).map(({ waiting_since }) => waiting_since);

  it("A person counts as unanswered from their first message until we reply or mark the conversation as done", async () => {
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

  it("A person counts as unanswered again after the conversation is reopened, individually or in bulk", async () => {
    const customer = await new World().customer();
    await customer.receive(phoneEnding("1234"), "Hi");
    const answered = phoneEnding("0001");
    await customer.receive(answered, "Thanks");
    customer.world.advance(1000);
    await customer.send(answered, "You are welcome");
    const before = await waiting(customer);
    expect(new Set(before)).toEqual(new Set([expect.any(Number), null]));
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    const ids = conversations.map(({ id }: { id: string }) => id);
    const changeAll = async (fields: object) => {
      const { body } = await customer.call("POST", "/conversations/bulk", { ids, ...fields });
      expect(body).toMatchObject({ counts: { updated: 2, unchanged: 0, failed: 0 } });
    };
    const changeEach = (fields: object) =>
      Promise.all(ids.map((id: string) => customer.call("PATCH", `/conversations/${id}`, fields)));
    for (const reopen of [
      () => changeAll({ status: "open" }),
      () => changeEach({ status: "open" }),
      () => changeEach({ snoozed_until: new Date(Date.now() + HOUR_MS).toISOString() }),
    ]) {
      await changeAll({ status: "done" });
      expect(await waiting(customer)).toEqual([null, null]);
      await reopen();
      expect(await waiting(customer)).toEqual(before);
    }
  });

  it("A person who sent STOP does not count as unanswered until they write again", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    for (const text of ["Hi", "Stop!"]) {
      customer.world.advance(1000);
      await customer.receive(from, text);
    }
    expect(await waiting(customer)).toEqual([null]);
    customer.world.advance(1000);
    await customer.receive(from, "Where is my parcel?");
    expect(await waiting(customer)).toEqual([expect.any(Number)]);
  });

  it("A person still counts as unanswered after they receive a campaign message or a campaign test", async () => {
    const { world, customer } = await customerWith(1);
    const person = numberOf(0);
    await customer.receive(person, "Where is my order?");
    const [since] = await waiting(customer);
    world.advance(1000);
    const id = await started(customer);
    await world.settle();
    expect((await customer.call("POST", `/campaigns/${id}/test`, { to: person })).status).toBe(202);
    expect(await waiting(customer)).toEqual([since]);
    const [{ id: conversation, last_message: last }] = (await customer.call("GET", "/conversations")).body
      .conversations;
    expect(last).toContain("Hello");
    for (const status of ["done", "open"]) await customer.call("PATCH", `/conversations/${conversation}`, { status });
    expect(await waiting(customer)).toEqual([since]);
  });
});
