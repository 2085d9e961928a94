import { describe, expect, it, vi } from "vitest";
import { contactsOf, outcomeOf } from "../support/provider-events.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { connectionOf, linkedCustomer, playInEachTest, report, transcript } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { readEvents } from "../support/read-log.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

const DAY_MS = 86_400_000;

let cloud: CloudStandIn;
let count = 0;

playInEachTest(() => (cloud = new CloudStandIn()));

const newUserId = () => `US.${13_491_208_655_302 + count++}`;
const seconds = () => String(Math.floor(Date.now() / 1000));

/** Without a number, the message has neither `wa_id` nor `from`. */
const written = (phone: string | null, userId: string, text: string, username?: string) =>
  cloud.messages({
    contacts: [
      {
        profile: { name: "Ann", ...(username && { username }) },
        user_id: userId,
        ...(phone && { wa_id: phone.slice(1) }),
      },
    ],
    messages: [
      {
        ...(phone && { from: phone.slice(1) }),
        from_user_id: userId,
        id: `wamid.id${count++}`,
        timestamp: seconds(),
        type: "text",
        text: { body: text },
      },
    ],
  });

const write = (customer: Customer, ...message: Parameters<typeof written>) =>
  report(customer, cloud.deliver(written(...message)));

const system = (from: object, notice: object) =>
  cloud.deliver(
    cloud.messages({
      messages: [{ ...from, id: `wamid.sys${count++}`, timestamp: seconds(), type: "system", system: notice }],
    }),
  );

describe("People without a number", () => {
  it("If a person first writes by user id and later by number, both belong to one contact, and STOP by id also opts out the number", async () => {
    const customer = await linkedCustomer(cloud);
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await write(customer, null, userId, "Hi", "@ann");
    await write(customer, phone, userId, "It's me");
    await write(customer, null, userId, "STOP");
    expect(await contactsOf(customer)).toMatchObject([
      { phone, is_unsubscribed: true, external_ids: [{ id: userId, username: "@ann" }] },
    ]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 3 }]);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
    expect(cloud.handed).toEqual([]);
  });

  it("If a person writes by number, then by user id, then with both, the contacts are merged, and one STOP opts out both", async () => {
    const customer = await linkedCustomer(cloud);
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await report(customer, cloud.inbound(phone, "by number"));
    await write(customer, null, userId, "by id");
    const conversations = await transcript(customer);
    expect(conversations).toHaveLength(2);
    await write(customer, phone, userId, "STOP");
    expect(await contactsOf(customer)).toMatchObject([{ phone, is_unsubscribed: true }]);
    for (const { id } of conversations) {
      const reply = await customer.call("POST", `/conversations/${id}/messages`, { text: "Hi" });
      expect(outcomeOf(reply)).not.toBe("queued");
    }
    expect(cloud.handed).toEqual([]);
  });
});

describe("User ids", () => {
  it("A person's user id is read from the response to a send and stored on the contact", async () => {
    const customer = await linkedCustomer(cloud);
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await report(customer, cloud.inbound(phone, "Hi"));
    const contacts = [{ input: phone, wa_id: phone.slice(1), user_id: userId }];
    cloud.next(() => json({ messaging_product: "whatsapp", contacts, messages: [{ id: "wamid.out" }] }));
    await customer.send(phone);
    expect(await contactsOf(customer)).toMatchObject([{ phone, external_ids: [{ id: userId }] }]);
    await write(customer, null, userId, "STOP");
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
  });

  it.each(["in the status", "beside it"])("A person's user id is read from a status webhook: %s", async (place) => {
    const customer = await linkedCustomer(cloud);
    const [phone, userId] = [phoneEnding("1234"), newUserId()];
    await report(customer, cloud.inbound(phone, "Hi"));
    const { message_id } = (await customer.send(phone)).body;
    const [handed] = cloud.handed;
    if (handed === undefined) throw new Error("Nothing was handed over.");
    const status = { ...cloud.statusOf(handed, message_id, "delivered") };
    const value =
      place === "in the status"
        ? { statuses: [{ ...status, recipient_user_id: userId }] }
        : { contacts: [{ wa_id: phone.slice(1), user_id: userId }], statuses: [status] };
    await report(customer, cloud.deliver(cloud.messages(value)), 2);
    expect(await contactsOf(customer)).toMatchObject([{ phone, external_ids: [{ id: userId }] }]);
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "delivered",
      cost: { billable: false, category: "service", type: "free_customer_service" },
    });
    await write(customer, null, userId, "STOP");
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
  });
});

describe("System messages", () => {
  it.each([
    ["user_changed_number", "wa_id"],
    ["customer_changed_number", "new_wa_id"],
  ])(
    "A system message of type %s moves the person to the new number and is not stored as a message",
    async (type, field) => {
      const customer = await linkedCustomer(cloud);
      const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
      await report(customer, cloud.inbound(before, "Hi"));
      const [conversation] = await transcript(customer);
      await customer.call("POST", `/conversations/${conversation.id}/read`);
      vi.setSystemTime(Date.now() + DAY_MS);
      const body = `User Ann changed from ${before.slice(1)} to ${now.slice(1)}`;
      const notice = await system({ from: before.slice(1) }, { body, type, [field]: now.slice(1) });
      for (let copy = 0; copy < 2; copy++) await report(customer, notice, 2);
      expect(await transcript(customer)).toMatchObject([
        { id: conversation.id, unread_count: 0, contact: { phone: now }, messages: [{ body: "Hi" }] },
      ]);
      expect(outcomeOf(await customer.send(now))).toBe("window_closed");
    },
  );

  it.each([
    ["named in its own field", (before: string) => ({ previous_user_id: before })],
    ["named in the text", () => ({})],
  ])("A system message can give a person a new user id; the old id is %s", async (_, named) => {
    const customer = await linkedCustomer(cloud);
    const [before, now] = [newUserId(), newUserId()];
    await write(customer, null, before, "Hi");
    const body = `User Ann changed from ${before} to ${now}`;
    await report(customer, system({}, { body, type: "user_changed_user_id", user_id: now, ...named(before) }));
    await write(customer, null, now, "STOP");
    expect(await contactsOf(customer)).toMatchObject([{ is_unsubscribed: true, external_ids: [{ id: now }] }]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 2 }]);
  });

  it("A system message with a new number and a new user id changes both on the contact", async () => {
    const customer = await linkedCustomer(cloud);
    const [before, now] = [phoneEnding("1234"), phoneEnding("1234")];
    const [oldId, newId] = [newUserId(), newUserId()];
    await write(customer, before, oldId, "STOP");
    await report(
      customer,
      system(
        { from: before.slice(1), from_user_id: oldId },
        { type: "user_changed_number", wa_id: now.slice(1), user_id: newId },
      ),
    );
    expect(await contactsOf(customer)).toMatchObject([
      { phone: now, is_unsubscribed: true, external_ids: [{ id: newId }] },
    ]);
  });

  it.each([
    { type: "customer_identity_changed", body: "Ann's security code changed.", identity: "hash", customer: "1" },
    { type: "something_new", body: "What nobody knows." },
    {},
  ])(
    "A system message that does not change a person's number or id changes nothing and is not visible: %o",
    async (notice) => {
      const customer = await linkedCustomer(cloud);
      const phone = phoneEnding("1234");
      await report(customer, cloud.inbound(phone, "Hi"));
      await report(customer, system({ from: phone.slice(1) }, notice));
      expect(await transcript(customer)).toMatchObject([{ unread_count: 1, messages: [{ body: "Hi" }] }]);
      expect(await contactsOf(customer)).toMatchObject([{ phone }]);
    },
  );

  it("A change of user id is also read from the webhook field user_id_update", async () => {
    const customer = await linkedCustomer(cloud);
    const [before, now] = [newUserId(), newUserId()];
    await write(customer, null, before, "Hi");
    const update = { timestamp: seconds(), user_id: { previous: before, current: now } };
    await report(
      customer,
      cloud.deliver({ field: "user_id_update", value: { user_id_update: [update, {}, null] } }),
      2,
    );
    expect(await contactsOf(customer)).toMatchObject([{ external_ids: [{ id: now }] }]);
  });
});

describe("Messaging limit", () => {
  it.each([
    ["max_daily_conversations_per_business", { max_daily_conversations_per_business: "TIER_10K" }, "TIER_10K"],
    ["the newer of both", { max_daily_conversations_per_business: "TIER_2K", current_limit: "TIER_1K" }, "TIER_2K"],
    ["the older form", { current_limit: "TIER_1K" }, "TIER_1K"],
    ["a number", { max_daily_conversations_per_business: 100_000 }, "100000"],
  ])("A change to the messaging limit is read from %s", async (_, fields, limit) => {
    const customer = await linkedCustomer(cloud);
    const value = { display_phone_number: "15550783881", event: "ONBOARDING", ...fields };
    await report(customer, cloud.deliver({ field: "phone_number_quality_update", value }));
    const { status_detail, messaging_limit } = await connectionOf(customer);
    expect(status_detail).toBe(`phone number quality update: ONBOARDING, 15550783881, ${limit}`);
    expect(messaging_limit).toBe(limit);
  });

  it("A change to the messaging limit emits one event with the previous limit, and late notices change nothing", async () => {
    const customer = await linkedCustomer(cloud);
    const deliver = (limit: string, secondsAgo: number) => {
      const change = { field: "business_capability_update", value: { max_daily_conversations_per_business: limit } };
      const entry = [{ id: "1", time: Math.floor(Date.now() / 1000) - secondsAgo, changes: [change] }];
      return report(customer, cloud.sign(JSON.stringify({ object: "whatsapp_business_account", entry })), 2);
    };
    await deliver("TIER_1K", 60);
    await deliver("TIER_10K", 10);
    await deliver("TIER_250", 30);
    expect(await connectionOf(customer)).toMatchObject({ messaging_limit: "TIER_10K" });
    const actor = `provider:${customer.connectionId}`;
    const told = { actor, type: "connection.limit_changed", id: customer.connectionId };
    const events = await readEvents(customer, "connection");
    expect(events.filter(({ type }) => type === "connection.limit_changed")).toEqual([
      { ...told, changes: { messaging_limit: [null, "TIER_1K"] } },
      { ...told, changes: { messaging_limit: ["TIER_1K", "TIER_10K"] } },
    ]);
  });
});
