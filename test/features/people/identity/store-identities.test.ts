import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import {
  carried,
  contactsOf,
  conversationsOf,
  deliver,
  messageFrom,
  newUserId,
  outcomeOf,
  statusOf,
  strangers,
} from "../../../support/provider-events.ts";
import { countingWorld } from "../../../support/storage.ts";
import { type Answer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Ids and numbers from providers", () => {
  it("If a status contains an id and a number, both are stored, and the contacts that have them are merged", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered } = await strangers(customer);
    const other = newUserId();
    const { message_id } = (await customer.send(phone)).body;
    await deliver(customer, [statusOf(message_id, { userId: other })], 2);
    expect((await contactsOf(customer))[0].external_ids).toMatchObject([{ id: other }]);
    await deliver(customer, [statusOf(message_id, { userId }, "read")], 2);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ id: numbered.id, phone });
    expect(contact.external_ids.map(({ id }: Answer["body"]) => id).toSorted()).toEqual([userId, other].toSorted());
  });

  it("If a status contains the number of a contact that has only an id, the number is stored", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, later } = await strangers(customer);
    const { message_id } = (await customer.call("POST", `/conversations/${later.id}/messages`, { text: "Hi" })).body;
    await deliver(customer, [statusOf(message_id, { userId, phone })], 2);
    expect(await contactsOf(customer)).toMatchObject([{ id: numbered.id, phone }]);

    const [free, id] = [phoneEnding("1234"), newUserId()];
    await deliver(customer, [messageFrom({ userId: id }, "somebody else")]);
    const [conversation] = await conversationsOf(customer);
    const sent = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" });
    await deliver(customer, [statusOf(sent.body.message_id, { userId: id, phone: free })]);
    expect((await customer.call("GET", `/contacts/${conversation.contact.id}`)).body.contact.phone).toBe(free);
  });

  it("A status with an id and a number that are already stored writes nothing", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const userId = newUserId();
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

  it("A send response with another contact's id merges both contacts within a minute, and their opt-outs apply to both immediately", async () => {
    const world = new World();
    const customer = await world.customer();
    const { phone, userId, numbered, later } = await strangers(customer);
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

  it("A status with an id or a number also stores the provider's price, and the message shows this price", async () => {
    const customer = await new World().customer();
    const { message_id } = (await customer.send(phoneEnding("0004"))).body;
    expect((await customer.message(message_id)).cost).toBeNull();
    const price = { billable: true, category: "utility", type: "regular" };
    await deliver(customer, [statusOf(message_id, null, "delivered", { price })]);
    await deliver(customer, [statusOf(message_id, null, "read")]);
    expect(await customer.message(message_id)).toMatchObject({ delivery: "read", cost: price });
  });
});
