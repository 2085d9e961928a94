import { beforeEach, describe, expect, it, vi } from "vitest";
import { campaign, differences, recipientsOf, started } from "../support/campaigns.ts";
import {
  carried,
  contactsOf,
  conversationsOf,
  deliver,
  messageFrom,
  outcomeOf,
  ownMessageTo,
  statusOf,
} from "../support/provider-events.ts";
import { faultyWorld, meteredWorld, onShard } from "../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

let ids = 0;
const newId = () => `user.${ids++}`;

const historyOf = async (customer: Customer, conversationId: string): Promise<Answer["body"][]> =>
  (await customer.call("GET", `/conversations/${conversationId}/messages?limit=100`)).body.messages;

/** A contact with a number and one known by an id only, each with a conversation. */
async function strangers(customer: Customer) {
  const [phone, userId] = [phoneEnding("1234"), newId()];
  await deliver(customer, [messageFrom({ phone, name: "Ann" }, "by number")]);
  customer.world.advance(1000);
  await deliver(customer, [messageFrom({ userId, name: "Annie" }, "by id")]);
  customer.world.advance(1000);
  const [numbered, nameless] = await contactsOf(customer);
  const [later, earlier] = await conversationsOf(customer);
  expect([earlier.contact.id, later.contact.id]).toEqual([numbered.id, nameless.id]);
  return { phone, userId, numbered, nameless, earlier, later };
}

describe("a message that names a number and an id", () => {
  it("gives the number to the contact known by the id, once however often it is delivered", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const [before] = await contactsOf(customer);
    await deliver(customer, [messageFrom({ phone, userId, username: "@ann" }, "It's me")], 3);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ id: before.id, phone });
    expect(contact.external_ids).toEqual([
      { provider: "sandbox", id: userId, connection_id: customer.connectionId, username: "@ann" },
    ]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2, last_message: "It's me" }]);
  });

  it("joins the contacts that have them: one conversation, nothing of the history lost", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless, earlier, later } = await strangers(customer);
    await customer.call("POST", `/conversations/${later.id}/messages`, { text: "an answer" });
    await customer.world.settle();
    await deliver(customer, [messageFrom({ phone, userId }, "both")], 2);

    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ id: numbered.id, phone, name: "Ann", external_ids: [{ id: userId }] });
    const [conversation, ...rest] = await conversationsOf(customer);
    expect(rest).toEqual([]);
    expect(conversation).toMatchObject({ id: earlier.id, unread_count: 3, last_message: "both", status: "open" });
    const history = await historyOf(customer, earlier.id);
    expect(history.map(({ body }) => body)).toEqual(["both", "an answer", "by id", "by number"]);
    for (const { id } of history) {
      expect(await customer.message(id)).toMatchObject({ contact_id: numbered.id, conversation_id: earlier.id });
    }
    for (const gone of [nameless.id]) {
      const answer = await customer.call("GET", `/contacts/${gone}`);
      expect([answer.status, answer.body.error.details]).toEqual([404, { merged_into: numbered.id }]);
    }
  });

  it("joins them where the account itself wrote it", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered } = await strangers(customer);
    await deliver(customer, [ownMessageTo({ phone, userId }, "from the phone")], 2);
    expect(await contactsOf(customer)).toMatchObject([{ id: numbered.id }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2, last_message: "from the phone" }]);
  });

  it("takes one trip where the person is known", async () => {
    const { world, counted } = meteredWorld();
    const customer = await world.customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ phone, userId }, "Hi")]);
    const next = await carried(customer, messageFrom({ phone, userId }, "Hi again"));
    await world.env.EVENTS_QUEUE.sendBatch([{ body: next }]);
    const before = counted();
    await world.queues.deliverDue(world.env);
    expect((counted()["trips"] ?? 0) - (before["trips"] ?? 0)).toBe(1);
  });

  it("of another workspace joins nobody here", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const { phone, userId } = await strangers(customer);
    await deliver(stranger, [messageFrom({ phone, userId }, "both")]);
    expect(await contactsOf(customer)).toHaveLength(2);
    expect(await contactsOf(stranger)).toHaveLength(1);
  });
});

describe("ids that have become part of another", () => {
  it("are refused everywhere with the one that is left, also after that was joined again", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless, earlier, later } = await strangers(customer);
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const calls: [string, string, object?][] = [
      ["GET", ""],
      ["PATCH", "", { name: "X" }],
      ["PUT", "", { name: "X" }],
      ["DELETE", ""],
      ["POST", "/restore"],
    ];
    for (const [method, below, body] of calls) {
      const answer = await customer.call(method, `/contacts/${nameless.id}${below}`, body);
      expect([method, answer.status, answer.body.error.details]).toEqual([method, 404, { merged_into: numbered.id }]);
    }
    const inConversation: [string, string, object?][] = [
      ["GET", ""],
      ["PATCH", "", { status: "done" }],
      ["POST", "/read"],
      ["GET", "/messages"],
      ["POST", "/messages", { text: "Hi" }],
    ];
    for (const [method, below, body] of inConversation) {
      const answer = await customer.call(method, `/conversations/${later.id}${below}`, body);
      expect([method, answer.status, answer.body.error.details]).toEqual([method, 404, { merged_into: earlier.id }]);
    }
    const stranger = await customer.world.customer();
    expect((await stranger.call("GET", `/contacts/${nameless.id}`)).body.error.details).toBeNull();
    expect((await stranger.call("GET", `/conversations/${later.id}`)).body.error.details).toBeNull();

    // An older contact with a number of its own turns out to be the same person, too.
    const [first] = await onShard(customer, "SELECT seq FROM contacts WHERE id = ?", numbered.id);
    const older = newId();
    await deliver(customer, [messageFrom({ phone: phoneEnding("1234"), userId: older }, "older")]);
    await onShard(
      customer,
      "UPDATE contacts SET seq = ? WHERE id <> ? AND workspace_id = ?",
      Number(first?.["seq"]) - 1,
      numbered.id,
      customer.workspaceId,
    );
    await onShard(customer, "UPDATE messages SET contact_seq = ? WHERE body = 'older'", Number(first?.["seq"]) - 1);
    await onShard(
      customer,
      "UPDATE conversations SET contact_seq = ? WHERE last_message = 'older'",
      Number(first?.["seq"]) - 1,
    );
    await onShard(
      customer,
      "UPDATE contact_identities SET contact_seq = ? WHERE external_id = ?",
      Number(first?.["seq"]) - 1,
      older,
    );
    await deliver(customer, [{ ...messageFrom({ phone, userId: older }, "same") }]);
    const [left, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(left.id).not.toBe(numbered.id);
    for (const id of [numbered.id, nameless.id]) {
      expect((await customer.call("GET", `/contacts/${id}`)).body.error.details).toEqual({ merged_into: left.id });
    }
    const [conversation] = await conversationsOf(customer);
    for (const id of [earlier.id, later.id]) {
      expect((await customer.call("GET", `/conversations/${id}`)).body.error.details).toEqual({
        merged_into: conversation.id,
      });
    }
  });
});

describe("joining", () => {
  it("fills the gaps of the contact that stays, and unites tags and fields", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless } = await strangers(customer);
    await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
    await customer.call("POST", "/custom-fields", { field_key: "city", label: "City", type: "text" });
    await customer.call("PATCH", `/contacts/${numbered.id}`, { tags: ["a", "b"], custom_fields: { plan: "gold" } });
    const fields = { plan: "silver", city: "Porto" };
    const email = "annie@example.com";
    await customer.call("PATCH", `/contacts/${nameless.id}`, {
      ...{ email, company: "Acme", status: "hot", tags: ["b", "c"], custom_fields: fields },
    });
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const [contact] = await contactsOf(customer);
    expect(contact).toMatchObject({
      ...{ name: "Ann", phone, email, company: "Acme", status: "hot" },
      custom_fields: { plan: "gold", city: "Porto" },
      tags: [{ name: "a" }, { name: "b" }, { name: "c" }],
    });
    for (const search of ["annie@", "acme", "ann"]) {
      const { contacts } = (await customer.call("GET", `/contacts?search=${search}`)).body;
      expect(contacts.map(({ id }: Answer["body"]) => id)).toEqual([contact.id]);
    }
  });

  it("shows nothing as read that was not, and nothing as unread that was", async () => {
    const customer = await new World().customer();
    const { phone, userId, earlier, later } = await strangers(customer);
    await customer.call("POST", `/conversations/${later.id}/read`);
    await deliver(customer, [ownMessageTo({ phone, userId }, "both")]);
    expect(await conversationsOf(customer)).toMatchObject([{ id: earlier.id, unread_count: 1 }]);
    const deliveries = (await historyOf(customer, earlier.id)).map(({ body, delivery }) => [body, delivery]);
    expect(deliveries).toEqual([
      ["both", "sent"],
      ["by id", "read"],
      ["by number", "delivered"],
    ]);
  });

  it("sends what was still to be sent, once, and in the conversation that is left", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const { phone, userId, earlier, later } = await strangers(customer);
    faults.next(/claimed_at = \?/);
    const reply = await customer.call("POST", `/conversations/${later.id}/messages`, { text: "waiting" });
    expect(await customer.outbox()).toEqual([]);
    await deliver(customer, [messageFrom({ phone, userId }, "both")], 2);
    await world.settle();
    expect(await customer.outbox()).toMatchObject([{ message_id: reply.body.message_id, body: "waiting" }]);
    expect(await customer.message(reply.body.message_id)).toMatchObject({
      delivery: "read",
      conversation_id: earlier.id,
    });
  });

  it("leaves numbers of contacts that are gone to nobody else", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered } = await strangers(customer);
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const { contact_id } = (await customer.send(phoneEnding("1234"))).body;
    const rows = await onShard(customer, "SELECT seq FROM contacts WHERE id = ?", contact_id);
    const gone = await onShard(
      customer,
      "SELECT from_seq FROM contact_joins WHERE workspace_id = ?",
      customer.workspaceId,
    );
    expect(rows[0]?.["seq"]).not.toBe(gone[0]?.["from_seq"]);
    expect(contact_id).not.toBe(numbered.id);
  });

  it("is undone by nothing: repeats, both orders, many at once", async () => {
    const customer = await new World().customer();
    const { phone, userId } = await strangers(customer);
    const events = Array.from({ length: 8 }, (_, n) => messageFrom({ phone, userId }, `n${n}`));
    await Promise.all(
      events.map(async (event) => {
        const body = await carried(customer, event);
        await customer.world.queues.binding("tidings-events").send(body);
      }),
    );
    const { messages } = customer.world.queues;
    const batches = messages.splice(0).map((message) => message.body);
    await Promise.all(
      batches.map(async (body) => {
        const world = new World();
        await world.env.EVENTS_QUEUE.send(body);
        await world.settle({ copies: 2 });
      }),
    );
    expect(await contactsOf(customer)).toMatchObject([{ phone }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 10 }]);
  });

  it("happens when the event is delivered again, where storage failed in the middle", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const { phone, userId } = await strangers(customer);
    vi.spyOn(console, "error").mockReturnValue();
    for (const when of ["before", "after"] as const) faults.next(/INSERT INTO contact_joins/, when);
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(await contactsOf(customer)).toHaveLength(1);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 3 }]);
  });

  it("moves a long history in steps, and shows all of it meanwhile", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless, earlier } = await strangers(customer);
    const [gone] = await onShard(customer, "SELECT seq FROM contacts WHERE id = ?", nameless.id);
    const count = 6500;
    await onShard(
      customer,
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?3 - 1)
       INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, created_at)
       SELECT 'msg_00' || printf('%08d', i), ?1, ?2, ?4, TRUE, 'x', 'old ' || i, 5, 0 FROM n`,
      customer.workspaceId,
      gone?.["seq"],
      count,
      customer.connectionId,
    );
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const behind = () => onShard(customer, "SELECT count(*) AS n FROM messages WHERE contact_seq = ?", gone?.["seq"]);
    expect((await behind())[0]?.["n"]).toBe(501);
    const walk = async () => {
      const bodies = [];
      for (let cursor = ""; ;) {
        const { body } = await customer.call("GET", `/conversations/${earlier.id}/messages?limit=100${cursor}`);
        bodies.push(...body.messages.map((message: Answer["body"]) => message.body));
        if (body.next_cursor === null) return bodies;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    const expected = ["both", "by id", "by number", ...Array.from({ length: count }, (_, i) => `old ${count - 1 - i}`)];
    expect(await walk()).toEqual(expected);
    const [left] = await onShard(customer, "SELECT id FROM messages WHERE contact_seq = ? LIMIT 1", gone?.["seq"]);
    expect(await customer.message(String(left?.["id"]))).toMatchObject({
      contact_id: numbered.id,
      conversation_id: earlier.id,
    });
    await customer.world.cron();
    expect((await behind())[0]?.["n"]).toBe(0);
    expect(await walk()).toEqual(expected);
    expect(await onShard(customer, "SELECT 1 FROM contact_joins WHERE moved_at IS NULL")).toEqual([]);
  }, 120_000);
});

describe("what statuses and answers name", () => {
  it("is learned from a status, and joins the contacts that have the id and the number", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered } = await strangers(customer);
    const other = newId();
    const { message_id } = (await customer.send(phone)).body;
    await deliver(customer, [statusOf(message_id, { userId: other })], 2);
    expect((await contactsOf(customer))[0].external_ids).toMatchObject([{ id: other }]);
    await deliver(customer, [statusOf(message_id, { userId }, "read")], 2);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ id: numbered.id, phone });
    expect(contact.external_ids.map(({ id }: Answer["body"]) => id).toSorted()).toEqual([userId, other].toSorted());
  });

  it("gives a number to somebody known by an id only", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, later } = await strangers(customer);
    const { message_id } = (await customer.call("POST", `/conversations/${later.id}/messages`, { text: "Hi" })).body;
    await deliver(customer, [statusOf(message_id, { userId, phone })], 2);
    expect(await contactsOf(customer)).toMatchObject([{ id: numbered.id, phone }]);

    const [free, id] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ userId: id }, "somebody else")]);
    const [conversation] = await conversationsOf(customer);
    const sent = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" });
    await deliver(customer, [statusOf(sent.body.message_id, { userId: id, phone: free })]);
    expect((await customer.call("GET", `/contacts/${conversation.contact.id}`)).body.contact.phone).toBe(free);
  });

  it("writes nothing when it is known", async () => {
    const { world, counted } = meteredWorld();
    const customer = await world.customer();
    const userId = newId();
    const { message_id } = (await customer.send(phoneEnding("0004"))).body;
    const status = statusOf(message_id, { userId });
    await deliver(customer, [status]);
    await world.env.EVENTS_QUEUE.send(await carried(customer, status));
    const before = counted();
    await world.queues.deliverDue(world.env);
    const after = counted();
    expect((after["rows_written"] ?? 0) - (before["rows_written"] ?? 0)).toBe(0);
    expect((after["trips"] ?? 0) - (before["trips"] ?? 0)).toBe(1);
  });

  it("joins by the next minute where a send's answer named another contact's id, and holds opt-outs until then", async () => {
    const world = new World();
    const customer = await world.customer();
    const { phone, userId, numbered, later } = await strangers(customer);
    const { sandbox } = await import("../../src/channels/sandbox.ts");
    const accepted = { kind: "accepted" as const, providerMessageId: "x", userIds: [userId] };
    const send = vi.spyOn(sandbox, "send").mockResolvedValue(accepted);
    await customer.send(phone);
    expect(await contactsOf(customer)).toHaveLength(2);
    const set = await customer.call("PATCH", `/contacts/${later.contact.id}`, { is_unsubscribed: true });
    expect(set.status).toBe(200);
    world.advance(86_400_000);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
    await world.cron();
    expect(await contactsOf(customer)).toMatchObject([{ id: numbered.id, is_unsubscribed: true }]);
    expect(send).toHaveBeenCalledTimes(1);
    send.mockRestore();
  });

  it("keeps what the provider charges, and shows it with the message", async () => {
    const customer = await new World().customer();
    const { message_id } = (await customer.send(phoneEnding("0004"))).body;
    expect((await customer.message(message_id)).cost).toBeNull();
    const price = { billable: true, category: "utility", type: "regular" };
    await deliver(customer, [statusOf(message_id, null, "delivered", { price })]);
    await deliver(customer, [statusOf(message_id, null, "read")]);
    expect(await customer.message(message_id)).toMatchObject({ delivery: "read", cost: price });
  });
});

describe("a campaign", () => {
  /** A running campaign that has both contacts as recipients and has sent to neither. */
  async function bothIn(customer: Customer) {
    const [one, other] = [phoneEnding("1234"), phoneEnding("1234")];
    const [a, b] = [newId(), newId()];
    await deliver(customer, [
      messageFrom({ phone: one, userId: a }, "Hi"),
      messageFrom({ phone: other, userId: b }, "Hi"),
    ]);
    const id = await started(customer, { body: "Hello" });
    return { one, other, a, b, id };
  }

  it("reaches a person once who was in it twice, and counts the other as a duplicate", async () => {
    const customer = await new World().customer();
    const { one, b, id } = await bothIn(customer);
    await customer.call("POST", `/campaigns/${id}/pause`);
    await deliver(customer, [messageFrom({ phone: one, userId: b }, "I have changed")]);
    expect(await contactsOf(customer)).toHaveLength(1);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    await customer.world.cron();
    await customer.world.settle();
    expect(await customer.outbox()).toHaveLength(1);
    const recipients = await recipientsOf(customer, id);
    expect(recipients.map(({ state, reason }) => [state, reason])).toEqual([
      ["read", null],
      ["skipped", "duplicate"],
    ]);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed" });
    expect(await differences(customer, id)).toEqual({});
  });
});
