import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { logged, readLog } from "../../support/read-log.ts";
import {
  contactsOf,
  conversationsOf,
  deliver,
  identityNotice,
  messageFrom,
  newUserId,
  statusOf,
} from "../../support/provider-events.ts";
import { faultyWorld } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const receive = (customer: Customer, ...message: Parameters<typeof messageFrom>) =>
  logged(customer, () => deliver(customer, [messageFrom(...message)]));

const received = ["message.received", expect.stringMatching(/^msg_/), { delivery: [null, "delivered"] }];

const typesOf = (events: [string, string, unknown][]) => events.map(([type]) => type);

describe("Inbound messages", () => {
  it("An inbound message from a new person is logged with its contact and conversation in one row, with the connection as actor", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    const message = messageFrom({ phone, userId, name: "Ann", username: "@ann" }, "Hi");
    const { events, rows } = await logged(customer, () => deliver(customer, [message], 3));
    const [contact] = await contactsOf(customer);
    const [conversation] = await conversationsOf(customer);
    const identity = { provider: "sandbox", id: userId, connection_id: customer.connectionId, username: "@ann" };
    expect(rows).toBe(1);
    expect(events).toEqual([
      [
        "contact.created",
        contact.id,
        {
          name: [null, "Ann"],
          phone: [null, phone],
          status: [null, "new"],
          lifecycle_stage: [null, "lead"],
          source: [null, "inbound"],
          external_ids: [null, [identity]],
        },
      ],
      ["conversation.opened", conversation.id, { status: [null, "open"] }],
      received,
    ]);
    expect((await readLog(customer)).at(-1)?.actor).toEqual(`provider:${customer.connectionId}`);
  });

  it("An inbound message from a known person logs one event, plus one if it contains new data about the person", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await customer.call("POST", "/contacts", { phone });
    const [{ id }] = await contactsOf(customer);
    const known = await receive(customer, { phone, name: "Ann" }, "Hi");
    expect(known.events[0]).toEqual(["contact.updated", id, { name: [null, "Ann"] }]);
    expect((await receive(customer, { phone, name: "Anna" }, "Hi")).events).toMatchObject([received]);
    const identified = await receive(customer, { phone, userId }, "Hi");
    const identity = { provider: "sandbox", id: userId, connection_id: customer.connectionId, username: null };
    expect(identified.events).toMatchObject([
      ["contact.identity_changed", id, { external_ids: [[], [identity]] }],
      received,
    ]);
    const named = await receive(customer, { phone, userId, username: "@ann" }, "Hi");
    expect(named.events[0]).toEqual([
      "contact.identity_changed",
      id,
      { external_ids: [[identity], [{ ...identity, username: "@ann" }]] },
    ]);
    const last = await receive(customer, { phone, userId, username: "@ann", name: "A" }, "Hi");
    expect([last.rows, typesOf(last.events)]).toEqual([1, ["message.received"]]);
  });

  it("An inbound message logs a new number, a restored contact and a reopened conversation", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await receive(customer, { userId }, "Hi");
    const [{ id }] = await contactsOf(customer);
    const [{ id: conversationId }] = await conversationsOf(customer);
    await customer.call("DELETE", `/contacts/${id}`);
    await customer.call("PATCH", `/conversations/${conversationId}`, { status: "done" });
    const { events } = await receive(customer, { phone, userId }, "Hi");
    expect(events).toMatchObject([
      ["contact.restored", id, { is_archived: [true, false], phone: [null, phone] }],
      ["conversation.opened", conversationId, { status: ["done", "open"] }],
      received,
    ]);
  });

  it("An inbound STOP or START is logged once, even if it arrives late or repeatedly", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    const start = Date.now();
    await receive(customer, { phone, userId }, "Hi");
    customer.world.advance(10_000);
    const stopped = await receive(customer, { phone, userId }, "STOP");
    expect(typesOf(stopped.events)).toEqual(["message.received", "contact.opted_out"]);
    expect(typesOf((await receive(customer, { phone, userId }, "stop")).events)).toEqual(["message.received"]);
    customer.world.advance(10_000);
    const started = await receive(customer, { phone, userId }, "START");
    expect(typesOf(started.events)).toEqual(["message.received", "contact.opted_in"]);
    expect(typesOf((await receive(customer, { phone, userId }, "STOP", start + 1000)).events)).toEqual([
      "message.received",
    ]);
    customer.world.advance(10_000);
    const quiet = await receive(customer, { phone, userId }, "Stop promotions");
    expect(quiet.events.at(-1)).toEqual(["contact.updated", expect.any(String), { marketing_opt_out: [false, true] }]);
  });

  it("An inbound message is logged once if storage fails before or after the commit", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const before = (await readLog(customer)).length;
    for (const when of ["before", "after"] as const) {
      faults.next(/INSERT INTO messages/, when);
      await receive(customer, { phone }, when);
      await world.settle();
    }
    const types = (await readLog(customer)).slice(before).map(({ type }) => type);
    expect(types).toEqual(["contact.created", "conversation.opened", "message.received", "message.received"]);
  });
});

it("Editing and deleting a message are logged once each, with the text before and after", async () => {
  const customer = await new World().customer();
  const phone = phoneEnding("1234");
  const message = messageFrom({ phone }, "Helo");
  await deliver(customer, [message]);
  const revision = (kind: string, body: string | null, at: number) => ({
    type: "revision",
    kind,
    revisionId: `${kind}-${body}`,
    providerKeys: [message.providerMessageId],
    by: { phone, userId: null, name: null },
    body,
    at,
  });
  const now = Date.now();
  customer.world.advance(60_000);
  const edit = await logged(customer, () => deliver(customer, [revision("edit", "Hello", now + 2000)], 2));
  expect(edit.events).toEqual([["message.edited", expect.any(String), { body: ["Helo", "Hello"] }]]);
  const late = await logged(customer, () => deliver(customer, [revision("edit", "Hel", now + 1000)]));
  expect(late.events).toEqual([]);
  const revoked = await logged(customer, () => deliver(customer, [revision("revoke", null, now + 3000)], 2));
  expect(revoked.events).toMatchObject([
    ["message.revoked", edit.events[0]?.[1], { body: ["Hello", expect.any(String)] }],
  ]);
  expect((await readLog(customer)).at(-1)?.actor).toEqual(`provider:${customer.connectionId}`);
});

it("Marking a conversation as done, open or read is logged only if something changes", async () => {
  const customer = await new World().customer();
  await receive(customer, { phone: phoneEnding("1234") }, "Hi");
  const [{ id }] = await conversationsOf(customer);
  const patch = (status: string) => () => customer.call("PATCH", `/conversations/${id}`, { status });
  const read = () => customer.call("POST", `/conversations/${id}/read`);
  expect((await logged(customer, patch("open"))).events).toEqual([]);
  expect((await logged(customer, patch("done"))).events).toEqual([
    ["conversation.done", id, { status: ["open", "done"] }],
  ]);
  expect((await logged(customer, patch("open"))).events).toEqual([
    ["conversation.opened", id, { status: ["done", "open"] }],
  ]);
  expect((await logged(customer, read)).events).toEqual([["conversation.read", id, { unread_count: [1, 0] }]]);
  expect((await logged(customer, read)).events).toEqual([]);
});

it("A merge of contacts logs one event for each contact and each conversation", async () => {
  const customer = await new World().customer();
  const [phone, userId] = [phoneEnding("1234"), newUserId()];
  await deliver(customer, [messageFrom({ phone, name: "Ann" }, "by number")]);
  await deliver(customer, [messageFrom({ userId, username: "@ann" }, "STOP")]);
  const [numbered, nameless] = await contactsOf(customer);
  const conversations = await conversationsOf(customer);
  const kept = conversations.find(({ contact }) => contact.id === numbered.id);
  const gone = conversations.find(({ contact }) => contact.id === nameless.id);
  await customer.call("PATCH", `/conversations/${kept.id}`, { status: "done" });
  const { events } = await logged(customer, () => deliver(customer, [messageFrom({ phone, userId }, "both")], 2));
  expect(events).toMatchObject([
    ["conversation.opened", kept.id, { id: [gone.id, kept.id], status: ["done", "open"], unread_count: [1, 2] }],
    ["contact.opted_out", numbered.id, { is_unsubscribed: [false, true] }],
    [
      "contact.merged",
      numbered.id,
      { id: [nameless.id, numbered.id], external_ids: [[], [{ id: userId, username: "@ann" }]] },
    ],
    received,
  ]);
});

it("A notice of a person's new number is logged once, together with the opt-out of the new number", async () => {
  const customer = await new World().customer();
  const [before, after, userId] = [phoneEnding("1234"), phoneEnding("1234"), newUserId()];
  await deliver(customer, [messageFrom({ phone: before }, "Hi"), messageFrom({ phone: after }, "STOP")]);
  const [contact, other] = await contactsOf(customer);
  await customer.call("PATCH", `/contacts/${other.id}`, { email: "b@x.com", phone: null });
  customer.world.advance(1000);
  const notice = identityNotice({ phone: before }, { phone: after, userId });
  const { events } = await logged(customer, () => deliver(customer, [notice], 2));
  expect(events).toMatchObject([
    ["contact.opted_out", contact.id, { is_unsubscribed: [false, true] }],
    ["contact.identity_changed", contact.id, { phone: [before, after], external_ids: [[], [{ id: userId }]] }],
  ]);
});

it("A user id that a status adds to a contact is logged once, with the connection as actor", async () => {
  const customer = await new World().customer();
  const [phone, userId] = [phoneEnding("1234"), newUserId()];
  const { body } = await customer.send(phone);
  await customer.world.settle();
  const [{ id }] = await contactsOf(customer);
  const status = statusOf(body.message_id, { userId });
  await deliver(customer, [status], 2);
  const told = (await readLog(customer)).filter(({ type }) => type === "contact.identity_changed");
  expect(told).toMatchObject([{ id, actor: `provider:${customer.connectionId}` }]);
});
