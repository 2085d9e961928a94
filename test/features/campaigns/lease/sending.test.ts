import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, numberOf, recipientsOf, started } from "../../../support/campaigns.ts";
import { archive, onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";
import { soon } from "../../../support/soon.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

async function customerWith(people: number, perSecond?: number) {
  const world = new World();
  const customer = await world.customer();
  if (perSecond !== undefined)
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: perSecond });
  await addPeople(customer, people);
  return { world, customer };
}

const make = async (customer: Customer, fields: object) =>
  (await customer.call("POST", "/contacts", fields)).body.contact;
const reasons = async (customer: Customer, id: string) =>
  Object.fromEntries((await recipientsOf(customer, id)).map(({ phone, state, reason }) => [phone, reason ?? state]));

describe("Recipients", () => {
  it("A recipient who opts out or is archived during the campaign is skipped with the reason", async () => {
    const { world, customer } = await customerWith(40, 10);
    const id = await started(customer);
    await world.settle({ withinMs: 500 });
    const waiting = await recipientsOf(customer, id, "pending");
    const [stopped, archived] = waiting.slice(-2);
    await customer.receive(stopped.phone, "STOP");
    await archive(customer, archived.contact_id);
    await world.settle();
    const seen = await reasons(customer, id);
    expect([seen[stopped.phone], seen[archived.phone]]).toEqual(["unsubscribed", "archived"]);
    const to = (await customer.outbox("?limit=100")).map((delivery) => delivery.to);
    expect(to).not.toContain(stopped.phone);
    expect(to).not.toContain(archived.phone);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 38, skipped: 2 } });
  });

  it("A recipient with missing variables or a text that is too long is skipped, and the others receive the message", async () => {
    const { world, customer } = await customerWith(0);
    await make(customer, { phone: numberOf(0), company: "Acme" });
    await make(customer, { phone: numberOf(1) });
    await make(customer, { phone: numberOf(2), company: "A".repeat(200) });
    const id = await started(customer, { body: `Hello {{company}}${"x".repeat(4000)}` });
    await world.settle();
    expect(await reasons(customer, id)).toEqual({
      [numberOf(0)]: "read",
      [numberOf(1)]: "missing_variable",
      [numberOf(2)]: "too_long",
    });
  });

  it("A recipient receives the message at the number that the contact has at the time of the send", async () => {
    const { world, customer } = await customerWith(0);
    const ada = await make(customer, { phone: numberOf(0), name: "Ada" });
    const id = await started(customer, { body: "Hi {{first_name}}" });
    await customer.call("PATCH", `/contacts/${ada.id}`, { phone: numberOf(1), name: "Grace" });
    await world.settle();
    expect(await customer.outbox()).toMatchObject([{ to: numberOf(1), body: "Hi Grace" }]);
    expect(await recipientsOf(customer, id)).toMatchObject([{ phone: numberOf(1), state: "read" }]);
  });

  it(
    "A special sandbox number has the same result in a campaign as in a direct message",
    { tags: "long" },
    async () => {
      const { world, customer } = await customerWith(0);
      const endings = ["0001", "0002", "0003", "0004", "0005", "0007"];
      const phones = endings.map(phoneEnding);
      for (const phone of phones) await make(customer, { phone });
      const id = await started(customer, { body: "Hello" });
      await world.settle({ copies: 2 });
      await world.settle({ copies: 2 });
      const seen = await reasons(customer, id);
      expect(phones.map((phone) => seen[phone])).toEqual(["invalid_recipient", "read", "read", "sent", "read", "read"]);
      expect(await campaign(customer, id)).toMatchObject({
        status: "completed",
        counts: { failed: 1, sent: 1, read: 4 },
      });
      const handed = (await customer.outbox("?limit=100")).map(({ to }) => to);
      expect([handed.length, new Set(handed).size]).toEqual([5, 5]);
      expect((await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences).toEqual({});
      const stopped = (await customer.call("GET", `/contacts?search=${encodeURIComponent(phones[4] ?? "")}`)).body
        .contacts;
      expect(stopped).toMatchObject([{ is_unsubscribed: true }]);
    },
  );

  it("A campaign stops trying a recipient after six failures", async () => {
    const { world, customer } = await customerWith(1);
    const error = { code: "provider_unreachable", message: "Busy.", providerCode: "2" } as const;
    const send = vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "retry", error });
    const id = await started(customer);
    await world.settle();
    expect(send).toHaveBeenCalledTimes(6);
    expect(send.mock.calls.map(([, message]) => message.attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { failed: 1 } });
  });
});

describe("Campaign messages in conversations", () => {
  it("A campaign message appears in the history of an existing conversation, but does not start a new conversation", async () => {
    const { world, customer } = await customerWith(2);
    await started(customer, { body: "News" });
    await world.settle();
    expect((await customer.call("GET", "/conversations")).body.conversations).toEqual([]);
    await customer.receive(numberOf(0), "Thanks");
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    expect(conversations).toMatchObject([{ last_message: "Thanks" }]);
    const { messages } = (await customer.call("GET", `/conversations/${conversations[0].id}/messages`)).body;
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(["Thanks", "News"]);
  });

  it("A campaign message becomes the last message of a listed conversation only after it is sent", async () => {
    const { world, customer } = await customerWith(0);
    const phone = numberOf(0);
    await customer.receive(phone, "Hello?");
    world.advance(1000);
    const paused = await started(customer, { body: "Later" });
    await customer.call("POST", `/campaigns/${paused}/pause`);
    await world.settle();
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const history = async () =>
      (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body.messages.map(
        ({ body }: { body: string }) => body,
      );
    expect(await history()).toEqual(["Hello?"]);
    await customer.call("POST", `/campaigns/${paused}/resume`);
    await world.settle();
    expect(await history()).toEqual(["Later", "Hello?"]);
    expect((await customer.call("GET", "/conversations")).body.conversations).toMatchObject([
      { last_message: "Later", unread_count: 1 },
    ]);
  });
});

describe("Queue failures", () => {
  it("If queues deliver every message repeatedly, each recipient receives one message, and each grant is used once", async () => {
    const { world, customer } = await customerWith(60);
    const id = await started(customer);
    await world.settle({ copies: 3 });
    const { counts } = await campaign(customer, id);
    expect(counts).toMatchObject({ read: 60, pending: 0 });
    const [ledger] = await onShard(
      customer,
      "SELECT count(*) AS handed, count(DISTINCT message_id) AS messages FROM sandbox_deliveries WHERE connection_id = ?",
      customer.connectionId,
    );
    expect(ledger).toEqual({ handed: 60, messages: 60 });
    const leases = await onShard(customer, "SELECT sum(hi - lo) AS covered FROM leases WHERE campaign_id = ?", id);
    expect(leases).toEqual([{ covered: 60 }]);
  });

  it("The cron continues a campaign whose queue messages are all lost", async () => {
    const { world, customer } = await customerWith(30);
    const id = await started(customer);
    world.queues.messages.length = 0;
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 30 } });
  });
});

describe("Lists of recipients", () => {
  it("The list of recipients is paginated, can be filtered by state, and contains the reason for each failure or skip", async () => {
    const { world, customer } = await customerWith(130);
    const id = await started(customer);
    await world.settle();
    const all = await recipientsOf(customer, id);
    expect(all).toHaveLength(130);
    expect(new Set(all.map(({ contact_id }) => contact_id)).size).toBe(130);
    expect(await recipientsOf(customer, id, "read")).toHaveLength(130);
    expect(await recipientsOf(customer, id, "failed")).toEqual([]);
    const bad = await customer.call("GET", `/campaigns/${id}/recipients?state=lost`);
    expect(bad.status).toBe(400);
    expect((await customer.call("GET", `/campaigns/${id}/recipients?cursor=x`)).status).toBe(400);
  });

  it("The filter by state finds the only failed recipient among 12,000 recipients", { tags: "long" }, async () => {
    const { world, customer } = await customerWith(12_000, 1000);
    const id = await started(customer);
    await world.settle({ withinMs: 2000 });
    await customer.call("POST", `/campaigns/${id}/pause`);
    const last = await onShard(customer, "SELECT max(id) AS id FROM messages WHERE campaign_id = ?", id);
    await onShard(customer, "UPDATE messages SET state = 4, error_code = 'undeliverable' WHERE id = ?", last[0]?.id);
    const failed = await recipientsOf(customer, id, "failed");
    expect(failed).toMatchObject([{ message_id: last[0]?.id, reason: "undeliverable" }]);
    expect((await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences).toEqual({
      pending: -1,
      failed: 1,
    });
  });
});

it("Messages of a lease become `unknown` after two minutes if its process dies before the settlement, and none is sent twice", async () => {
  const { world, customer } = await customerWith(100, 100);
  const send = vi.spyOn(sandbox, "send").mockImplementation(() => new Promise(() => undefined));
  const id = await started(customer);
  const dying = world.settle({ withinMs: 300 });
  await soon(() => expect(send).toHaveBeenCalled());
  await Promise.race([dying, new Promise((resolve) => setTimeout(resolve, 50))]);
  send.mockRestore();
  const [taken] = await onShard(customer, "SELECT sum(hi - lo) AS n FROM leases WHERE campaign_id = ?", id);
  world.advance(121_000);
  await world.cron();
  await world.settle();
  const { status, counts } = await campaign(customer, id);
  expect(status).toBe("completed");
  expect(counts).toMatchObject({ unknown: taken?.n, pending: 0, read: 100 - Number(taken?.n) });
  expect(taken?.n).toBeGreaterThan(0);
  expect((await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences).toEqual({});
});

it("One run of the queue consumer uses one lease, even if many grants wait, so that a crash affects only this lease", async () => {
  const { world, customer } = await customerWith(200, 80);
  const send = vi.spyOn(sandbox, "send").mockImplementation(() => new Promise(() => undefined));
  const id = await started(customer);
  await world.queues.deliverDue(world.env);
  for (let tick = 0; tick < 4; tick++) {
    world.setTime(Math.max(Date.now(), (await world.alarms.nextDueAt()) ?? 0));
    await world.alarms.ringDue();
  }
  const waiting = () => world.queues.messages.filter(({ queue }) => queue === "tidings-campaign").length;
  const grants = waiting();
  expect(grants).toBeGreaterThan(2);
  void world.queues.deliverDue(world.env);
  await soon(() => expect(send).toHaveBeenCalled());
  expect(await onShard(customer, "SELECT count(*) AS n FROM leases WHERE campaign_id = ?", id)).toEqual([{ n: 1 }]);
  expect(waiting()).toBe(grants - 1);
});
