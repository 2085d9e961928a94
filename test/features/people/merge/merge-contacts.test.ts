import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  carried,
  contactsOf,
  conversationsOf,
  deliver,
  historyOf,
  messageFrom,
  newUserId,
  ownMessageTo,
  strangers,
} from "../../../support/provider-events.ts";
import { countingWorld, onShard } from "../../../support/storage.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Messages with a number and an id", () => {
  it("A message with a number and an id stores the number on the contact with the id, once for repeated deliveries", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const [before] = await contactsOf(customer);
    customer.world.advance(1000);
    await deliver(customer, [messageFrom({ phone, userId, username: "@ann" }, "It's me")], 3);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ id: before.id, phone });
    expect(contact.external_ids).toEqual([
      { provider: "sandbox", id: userId, connection_id: customer.connectionId, username: "@ann" },
    ]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2, last_message: "It's me" }]);
  });

  it("A message with a number and an id merges the two contacts that have them into one conversation with the whole history", async () => {
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

  it("A message from the workspace's phone with a person's number and id merges the person's contacts", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered } = await strangers(customer);
    await deliver(customer, [ownMessageTo({ phone, userId }, "from the phone")], 2);
    expect(await contactsOf(customer)).toMatchObject([{ id: numbered.id }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2, last_message: "from the phone" }]);
  });

  it("A message with a number and an id costs one round trip if the person is known", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await deliver(customer, [messageFrom({ phone, userId }, "Hi")]);
    const next = await carried(customer, messageFrom({ phone, userId }, "Hi again"));
    await world.env.EVENTS_QUEUE.sendBatch([{ body: next }]);
    const before = counted();
    await world.queues.deliverDue(world.env);
    expect((counted()["trips"] ?? 0) - (before["trips"] ?? 0)).toBe(1);
  });

  it("A message with a number and an id does not merge contacts of another workspace", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const { phone, userId } = await strangers(customer);
    await deliver(stranger, [messageFrom({ phone, userId }, "both")]);
    expect(await contactsOf(customer)).toHaveLength(2);
    expect(await contactsOf(stranger)).toHaveLength(1);
  });
});

describe("Ids of merged contacts and conversations", () => {
  it("The id of a merged contact or conversation returns an error with the kept id, even after a second merge", async () => {
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

    // An older contact with its own number turns out to be the same person.
    const [first] = await onShard(customer, "SELECT seq FROM contacts WHERE id = ?", numbered.id);
    const older = newUserId();
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
