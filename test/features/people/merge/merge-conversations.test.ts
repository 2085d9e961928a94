import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  carried,
  contactsOf,
  conversationsOf,
  deliver,
  historyOf,
  messageFrom,
  ownMessageTo,
  strangers,
} from "../../../support/provider-events.ts";
import { faultyWorld, onShard } from "../../../support/storage.ts";
import { type Answer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Merges by events", () => {
  it("A merge fills the kept contact's empty fields and combines tags and custom fields", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless } = await strangers(customer);
    await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
    await customer.call("POST", "/custom-fields", { field_key: "city", label: "City", type: "text" });
    await customer.call("PATCH", `/contacts/${numbered.id}`, { tags: ["a", "b"], custom_fields: { plan: "gold" } });
    const fields = { plan: "silver", city: "Porto" };
    const email = "annie@example.com";
    await customer.call("PATCH", `/contacts/${nameless.id}`, {
      email,
      company: "Acme",
      status: "hot",
      tags: ["b", "c"],
      custom_fields: fields,
    });
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const [contact] = await contactsOf(customer);
    expect(contact).toMatchObject({
      name: "Ann",
      phone,
      email,
      company: "Acme",
      status: "hot",
      custom_fields: { plan: "gold", city: "Porto" },
      tags: [{ name: "a" }, { name: "b" }, { name: "c" }],
    });
    for (const search of ["annie@", "acme", "ann"]) {
      const { contacts } = (await customer.call("GET", `/contacts?search=${search}`)).body;
      expect(contacts.map(({ id }: Answer["body"]) => id)).toEqual([contact.id]);
    }
  });

  it("A merge keeps the read state of each message", async () => {
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

  it("Messages that wait during a merge are sent once, in the kept conversation", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const { phone, userId, earlier, later } = await strangers(customer);
    faults.next(/claimed_at = likely/);
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

  it("After a merge, no new contact gets the internal sequence number of the removed contact", async () => {
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

  it("A merge has the same result for repeated events, in both orders and concurrently", async () => {
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

  it("A merge that failed halfway in storage completes when its event is delivered again", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const { phone, userId } = await strangers(customer);
    vi.spyOn(console, "error").mockReturnValue();
    for (const when of ["before", "after"] as const) faults.next(/insert into "contact_joins"/, when);
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(await contactsOf(customer)).toHaveLength(1);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 3 }]);
  });

  it("A merge moves a long history in steps, and reads always return all of it", { tags: "long" }, async () => {
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
  });
});
