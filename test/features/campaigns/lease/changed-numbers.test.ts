import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, numberOf, recipientsOf, started } from "../../../support/campaigns.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

/** A campaign to `people` contacts that sends one message per second and has already sent some. */
async function underWay(people: number) {
  const world = new World();
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1 });
  await addPeople(customer, people);
  const id = await started(customer, { body: "Hello" });
  await world.settle({ withinMs: 1500 });
  const recipients = await recipientsOf(customer, id);
  const first = recipients[0];
  const last = recipients[people - 1];
  expect([first.state, last.state]).toEqual([expect.stringMatching(/sent|delivered|read/), "pending"]);
  return { world, customer, id, first, last };
}

const renumber = (customer: Customer, id: string, phone: string) =>
  customer.call("PATCH", `/contacts/${id}`, { phone });

const handedTo = async (customer: Customer, phone: string) =>
  (await customer.outbox(`?to=${encodeURIComponent(phone)}`)).length;

describe("Numbers that move during a campaign", () => {
  it("If a number that received a campaign's message moves to another recipient, that recipient is skipped as a duplicate", async () => {
    const { world, customer, id, first, last } = await underWay(8);
    await renumber(customer, first.contact_id, numberOf(500));
    expect((await renumber(customer, last.contact_id, first.phone)).status).toBe(200);
    await world.settle();
    expect(await handedTo(customer, first.phone)).toBe(1);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 7, skipped: 1 } });
    expect(await recipientsOf(customer, id, "skipped")).toMatchObject([
      { contact_id: last.contact_id, reason: "duplicate", message_id: null },
    ]);
  });

  it("A number that moves from an archived recipient to another one in a different spelling receives one message", async () => {
    const world = new World();
    const customer = await world.customer();
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1 });
    await customer.call("POST", "/contacts", { phone: "+5511987654321" });
    await addPeople(customer, 6);
    const id = await started(customer, { body: "Oi" });
    await world.settle({ withinMs: 1500 });
    const recipients = await recipientsOf(customer, id);
    await customer.call("DELETE", `/contacts/${recipients[0].contact_id}`);
    expect((await renumber(customer, recipients[6].contact_id, "+551187654321")).status).toBe(200);
    await world.settle();
    expect((await handedTo(customer, "+5511987654321")) + (await handedTo(customer, "+551187654321"))).toBe(1);
    expect(await campaign(customer, id)).toMatchObject({ counts: { read: 6, skipped: 1 } });
  });

  it("If two recipients swap numbers before their messages are sent, each number receives one message", async () => {
    const { world, customer, id, last } = await underWay(8);
    const [, , , , , before] = await recipientsOf(customer, id);
    await renumber(customer, before.contact_id, numberOf(500));
    await renumber(customer, last.contact_id, before.phone);
    await renumber(customer, before.contact_id, last.phone);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 8, skipped: 0 } });
    expect([await handedTo(customer, before.phone), await handedTo(customer, last.phone)]).toEqual([1, 1]);
  });

  it("A number that a recipient gives up is recorded only while the campaign is running, and the record is deleted afterwards", async () => {
    const { world, customer, id, first } = await underWay(4);
    await renumber(customer, first.contact_id, numberOf(500));
    const noted = () => onShard(customer, "SELECT contact_seq FROM spent_numbers WHERE campaign_id = ?", id);
    expect(await noted()).toHaveLength(1);
    await world.settle();
    await world.cron();
    await world.settle();
    expect(await noted()).toEqual([]);
    await renumber(customer, first.contact_id, numberOf(501));
    expect(await noted()).toEqual([]);
  });
});

it("A number that two contacts have in different spellings receives one message", async () => {
  const world = new World();
  const customer = await world.customer();
  await customer.call("POST", "/contacts", { phone: "+5511987654321" });
  await customer.call("POST", "/contacts", { phone: "+551187654321" });
  const id = await started(customer, { body: "Oi" });
  await world.settle();
  expect((await campaign(customer, id)).recipient_count).toBe(1);
  expect(await customer.outbox()).toHaveLength(1);
});
