import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { carried, conversationsOf } from "../../support/provider-events.ts";
import { archive, onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

const simulate = (customer: Customer, from: string, text: string, name?: string) =>
  customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text, ...(name && { name }) });

const contactsOf = (customer: Customer) =>
  onShard(customer, "SELECT id, phone, name FROM contacts WHERE workspace_id = ? ORDER BY seq", customer.workspaceId);

const messageEvent = (id: string, from: object, body: string, at = Date.now()) => ({
  type: "message",
  messageId: null,
  providerMessageId: id,
  from: { phone: null, userId: null, name: null, ...from },
  body,
  at,
});

async function deliver(customer: Customer, events: object[], copies = 1): Promise<void> {
  const bodies = await Promise.all(events.map((event) => carried(customer, event)));
  await customer.world.env.EVENTS_QUEUE.sendBatch(bodies.map((body) => ({ body })));
  await customer.world.queues.deliverDue(customer.world.env, copies);
}

describe("Inbound messages", () => {
  it("An inbound message creates the contact and the conversation, and is stored once however often it is delivered", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    const sentAt = new Date().toISOString();
    const { message_id } = (await simulate(customer, from, "Hello there", "Ann")).body;
    await customer.world.settle({ copies: 3 });
    const [conversation, ...others] = await conversationsOf(customer);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({
      contact: { name: "Ann", phone: from },
      connection_id: customer.connectionId,
      channel: "unofficial",
      last_message: "Hello there",
      last_message_at: sentAt,
      unread_count: 1,
      status: "open",
    });
    expect(await customer.message(message_id)).toMatchObject({
      conversation_id: conversation.id,
      from_contact: true,
      body: "Hello there",
      delivery: "delivered",
      delivered_at: sentAt,
      read_at: null,
      error: null,
    });
    const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
    expect(messages).toHaveLength(1);
    const { contact } = (await customer.call("GET", `/contacts/${conversation.contact.id}`)).body;
    expect(contact).toMatchObject({ source: "inbound", name: "Ann", is_unsubscribed: false });
  });

  it("An inbound message is added to the conversation that an earlier message from us has opened", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const { conversation_id, contact_id } = (await customer.send(to)).body;
    customer.world.advance(1);
    await customer.receive(to, "Thanks");
    expect(await conversationsOf(customer)).toMatchObject([
      { id: conversation_id, contact: { id: contact_id }, last_message: "Thanks", unread_count: 1 },
    ]);
  });

  it("An inbound message adds a missing name and keeps a stored one", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    for (const [name, expected] of [
      [undefined, null],
      ["Ann", "Ann"],
      ["Anna", "Ann"],
    ] as const) {
      await customer.receive(from, "Hi", name);
      expect(await contactsOf(customer)).toMatchObject([{ name: expected }]);
    }
  });

  it("An inbound message reopens a done conversation and restores an archived contact", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.receive(from, "Hi");
    const [{ id, contact }] = await conversationsOf(customer);
    await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    await archive(customer, contact.id);
    await customer.receive(from, "Again");
    expect(await conversationsOf(customer)).toMatchObject([{ id, status: "open", unread_count: 2 }]);
    expect((await customer.call("GET", `/contacts/${contact.id}`)).body.contact.is_archived).toBe(false);
  });

  it("An inbound message belongs to the active contact, otherwise to the contact that was archived last", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    const ids = [];
    for (let n = 0; n < 3; n++) {
      await customer.receive(from, "Hi");
      const [latest] = (await contactsOf(customer)).toReversed();
      ids.push(latest?.["id"]);
      await archive(customer, String(latest?.["id"]), Date.now() + n);
      // Without its number the contact cannot be found, so that the next message creates another one.
      await onShard(customer, "UPDATE contacts SET phone_key = NULL WHERE id = ?", latest?.["id"]);
    }
    await onShard(customer, "UPDATE contacts SET phone_key = phone WHERE workspace_id = ?", customer.workspaceId);
    await customer.receive(from, "Hi");
    const active = await onShard(
      customer,
      "SELECT id FROM contacts WHERE workspace_id = ? AND archived_at IS NULL",
      customer.workspaceId,
    );
    expect(active).toEqual([{ id: ids[2] }]);
  });

  async function expectOneConversation(count: number): Promise<void> {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    const events = Array.from({ length: count }, (_, n) => messageEvent(`p-${n}`, { phone: from }, `No. ${n}`));
    await Promise.all([deliver(customer, events), customer.send(from, "Hello")]);
    await deliver(customer, events, 2);
    expect(await contactsOf(customer)).toHaveLength(1);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: count }]);
  }

  it("An inbound message creates one contact and one conversation if ten first messages arrive concurrently", () =>
    expectOneConversation(10));

  it(
    "An inbound message creates one contact and one conversation if 50 first messages arrive concurrently",
    { tags: "long" },
    () => expectOneConversation(50),
  );

  it("An inbound message does not become the last message if it is older than the last one", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const now = Date.now();
    await deliver(customer, [
      messageEvent("new", { phone }, "new", now - 1000),
      messageEvent("old", { phone }, "old", now - 60_000),
    ]);
    const [conversation] = await conversationsOf(customer);
    expect(conversation).toMatchObject({
      last_message: "new",
      last_message_at: new Date(now - 1000).toISOString(),
      unread_count: 2,
    });
    const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(["new", "old"]);
  });

  it("The time of an inbound message is limited to the last week, because providers retry for a week", async () => {
    const customer = await new World().customer();
    const now = Date.now();
    await deliver(customer, [
      messageEvent("a", { phone: phoneEnding("1234") }, "from the future", now + DAY_MS),
      messageEvent("b", { phone: phoneEnding("1234") }, "ancient", 0),
    ]);
    const [future, ancient] = await conversationsOf(customer);
    expect(future).toMatchObject({ last_message: "from the future", last_message_at: new Date(now).toISOString() });
    expect(ancient.last_message_at).toBe(new Date(now - 7 * DAY_MS).toISOString());
  });

  it("If two connections receive messages with the same provider id, both messages are stored", async () => {
    const world = new World();
    const customers = [await world.customer(), await world.customer(), await world.customer()];
    for (const customer of customers) await deliver(customer, [messageEvent("same", { phone: "+14155550100" }, "Hi")]);
    for (const customer of customers) expect(await conversationsOf(customer)).toHaveLength(1);
  });

  it("An inbound message is not stored for a connection of another workspace", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const body = await carried(customer, messageEvent("x", { phone: phoneEnding("1234") }, "Hi"));
    await world.env.EVENTS_QUEUE.sendBatch([{ body: { ...body, connectionId: stranger.connectionId } }]);
    await world.settle();
    for (const one of [customer, stranger]) expect(await contactsOf(one)).toEqual([]);
  });
});

describe("People without a number", () => {
  it("A person without a number is stored by the provider's id and can receive replies", async () => {
    const customer = await new World().customer();
    await customer.receive("user.8f3a", "Hi", "Zoë");
    await customer.receive("user.8f3a", "It's me again");
    const [conversation, ...others] = await conversationsOf(customer);
    expect(others).toEqual([]);
    expect(conversation.contact).toMatchObject({ name: "Zoë", phone: null });
    const { contact } = (await customer.call("GET", `/contacts/${conversation.contact.id}`)).body;
    expect(contact.external_ids).toEqual([
      { provider: "sandbox", id: "user.8f3a", connection_id: customer.connectionId, username: null },
    ]);
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello Zoë" });
    expect(reply.status).toBe(202);
    await customer.world.settle();
    expect(await customer.outbox()).toMatchObject([{ to: "user.8f3a", body: "Hello Zoë" }]);
    expect(await customer.message(reply.body.message_id)).toMatchObject({ delivery: "read", to: null });
  });

  it("A person without a number can opt out and then receives no replies", async () => {
    const customer = await new World().customer();
    await customer.receive("user.77", "STOP");
    const [{ id, contact }] = await conversationsOf(customer);
    const reply = await customer.call("POST", `/conversations/${id}/messages`, { text: "Hi" });
    expect([reply.status, reply.body.error.details]).toEqual([422, { contact_id: contact.id }]);
  });
});

describe("Failing events", () => {
  it("An inbound event that cannot be applied is retried, then listed as dead, and does not delay other events", async () => {
    const world = new World();
    const customer = await world.customer();
    const from = phoneEnding("1234");
    const poison = messageEvent("poison", {}, "from nobody");
    await deliver(customer, [messageEvent("a", { phone: from }, "a"), poison, messageEvent("b", { phone: from }, "b")]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2 }]);
    expect(await onShard(customer, "SELECT * FROM dead_letters")).toEqual([]);
    await world.settle();
    await world.queues.binding("tidings-events-dead").send(await carried(customer, poison));
    await world.settle({ copies: 2 });
    const letters = await onShard(
      customer,
      "SELECT queue, reason, payload FROM dead_letters WHERE workspace_id = ?",
      customer.workspaceId,
    );
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ queue: "events", reason: expect.any(String) });
    expect(JSON.parse(String(letters[0]?.["payload"]))).toEqual(await carried(customer, poison));
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2 }]);
  });

  it("An inbound event of an unknown shape is listed as dead", async () => {
    const world = new World();
    const customer = await world.customer();
    await deliver(customer, [{ type: "telepathy" }, messageEvent("a", { phone: phoneEnding("1234") }, "a")]);
    await world.settle({ withinMs: 3_600_000 });
    expect(await conversationsOf(customer)).toHaveLength(1);
    expect(
      await onShard(customer, "SELECT 1 FROM dead_letters WHERE workspace_id = ?", customer.workspaceId),
    ).toHaveLength(1);
  });
});
