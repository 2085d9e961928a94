import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  contactsOf,
  conversationsOf,
  deliver,
  identityNotice,
  messageFrom,
  outcomeOf,
} from "../../../support/provider-events.ts";
import { faultyWorld, onShard } from "../../../support/storage.ts";
import { phoneEnding, World } from "../../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

let ids = 0;
const newId = () => `user.c${ids++}`;

describe("Changed numbers", () => {
  it("A notice of a new number moves the contact and its conversation once, even if the notice is delivered repeatedly", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: before }, "Hi", Date.now())]);
    const [contact] = await contactsOf(customer);
    const [conversation] = await conversationsOf(customer);
    await customer.call("POST", `/conversations/${conversation.id}/read`);
    world.advance(DAY_MS);
    const notice = identityNotice({ phone: before }, { phone: now });
    await deliver(customer, [notice], 3);
    await deliver(customer, [notice]);

    expect(await contactsOf(customer)).toMatchObject([{ id: contact.id, phone: now }]);
    expect(await conversationsOf(customer)).toMatchObject([
      { id: conversation.id, unread_count: 0, last_message: "Hi", contact: { phone: now } },
    ]);
    expect(outcomeOf(await customer.send(now))).toBe("window_closed");
    const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
    expect(messages).toHaveLength(1);
    const { contacts } = (await customer.call("GET", `/contacts?search=${encodeURIComponent(now)}`)).body;
    expect(contacts).toHaveLength(1);
  });

  it("A notice of a new number merges the contact with a contact that already has this number", async () => {
    const world = new World();
    const customer = await world.customer();
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: before, name: "Ann" }, "from the old one")]);
    world.advance(1000);
    await deliver(customer, [messageFrom({ phone: now }, "from the new one")]);
    const [older] = await contactsOf(customer);
    await deliver(customer, [identityNotice({ phone: before }, { phone: now })], 2);
    expect(await contactsOf(customer)).toMatchObject([{ id: older.id, name: "Ann", phone: now }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2, last_message: "from the new one" }]);
    world.advance(1000);
    await deliver(customer, [messageFrom({ phone: now }, "again")]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 3 }]);
  });

  it.each([true, false])(
    "After a notice of a new number, the opt-out of the old number applies to the new number; the contact exists: %s",
    async (isKnown) => {
      const world = new World();
      const customer = await world.customer();
      const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
      await deliver(customer, [messageFrom({ phone: before }, "STOP")]);
      if (!isKnown) await onShard(customer, "DELETE FROM contacts WHERE workspace_id = ?", customer.workspaceId);
      await deliver(customer, [identityNotice({ phone: before }, { phone: now })]);
      expect(outcomeOf(await customer.send(now))).toBe("unsubscribed");
      world.advance(1000);
      await deliver(customer, [messageFrom({ phone: now }, "START")]);
      world.advance(2 * DAY_MS);
      expect(outcomeOf(await customer.send(now))).toBe("queued");
    },
  );

  it("Notices of new numbers have the same result in any order", async () => {
    const world = new World();
    const customer = await world.customer();
    const [a, b, c] = [phoneEnding("1234"), phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: a }, "Hi")]);
    const at = Date.now();
    world.advance(60_000);
    const second = identityNotice({ phone: b }, { phone: c }, at + 2000);
    await deliver(customer, [second, identityNotice({ phone: a }, { phone: b }, at + 1000), second]);
    expect(await contactsOf(customer)).toMatchObject([{ phone: c }]);
    await deliver(customer, [messageFrom({ phone: a }, "sent before", at)]);
    expect(await contactsOf(customer)).toMatchObject([{ phone: c }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2 }]);
  });

  it("A notice of a new number that is delivered late changes nothing for the next owner of the old number", async () => {
    const world = new World();
    const customer = await world.customer();
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: before, name: "Ann" }, "Hi")]);
    const notice = identityNotice({ phone: before }, { phone: now });
    await deliver(customer, [notice]);
    world.advance(60 * DAY_MS);
    await deliver(customer, [messageFrom({ phone: before, name: "Bo" }, "Hello")]);
    await deliver(customer, [notice]);
    expect(await contactsOf(customer)).toMatchObject([
      { name: "Ann", phone: now },
      { name: "Bo", phone: before },
    ]);
  });

  it("A notice of a new number changes nothing for another workspace's connection or an unknown person", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: before }, "Hi")]);
    await deliver(stranger, [identityNotice({ phone: before }, { phone: now })]);
    expect(await contactsOf(customer)).toMatchObject([{ phone: before }]);
    expect(await contactsOf(stranger)).toEqual([]);
  });

  it("A notice of a new number is applied completely if it is delivered again after storage failed halfway", async () => {
    const { world, faults } = faultyWorld();
    vi.spyOn(console, "error").mockReturnValue();
    const customer = await world.customer();
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    await deliver(customer, [messageFrom({ phone: before }, "Hi"), messageFrom({ phone: now }, "Hello")]);
    for (const step of [/insert into "contact_joins"/, /INSERT INTO number_changes/]) {
      for (const when of ["before", "after"] as const) faults.next(step, when);
    }
    await deliver(customer, [identityNotice({ phone: before }, { phone: now })]);
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(await contactsOf(customer)).toMatchObject([{ phone: now }]);
  });
});

describe("Changed user ids", () => {
  it("After a notice of a new user id, messages go to the new id, and the old id only serves to recognize messages", async () => {
    const customer = await new World().customer();
    const [before, now] = [newId(), newId()];
    await deliver(customer, [messageFrom({ userId: before }, "Hi")]);
    const [conversation] = await conversationsOf(customer);
    await deliver(customer, [identityNotice({ userId: before }, { userId: now })], 2);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact.external_ids).toMatchObject([{ id: now }]);
    await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello" });
    expect(await customer.outbox()).toMatchObject([{ to: now }]);
    await deliver(customer, [messageFrom({ userId: before }, "late"), messageFrom({ userId: now }, "new")]);
    expect(await conversationsOf(customer)).toMatchObject([{ id: conversation.id, unread_count: 3 }]);
  });

  it("A notice of a new user id merges the contact with a contact that has written under this id, and keeps the opt-out", async () => {
    const customer = await new World().customer();
    const [before, now] = [newId(), newId()];
    await deliver(customer, [messageFrom({ userId: before }, "STOP"), messageFrom({ userId: now }, "Hi")]);
    await deliver(customer, [identityNotice({ userId: before }, { userId: now })]);
    expect(await contactsOf(customer)).toMatchObject([{ is_unsubscribed: true, external_ids: [{ id: now }] }]);
    expect(await conversationsOf(customer)).toMatchObject([{ unread_count: 2 }]);
  });
});
