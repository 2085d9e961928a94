import { describe, expect, it, vi } from "vitest";
import { contactsOf, outcomeOf } from "../support/provider-events.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { chatOf, WahaStandIn } from "../support/providers/waha.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

const DAY_MS = 86_400_000;

let server: WahaStandIn;
let count = 0;

playInEachTest(() => (server = new WahaStandIn()));

const newLid = () => `${88_880_000_000_000 + count++}@lid`;

const write = (customer: Customer, lid: string, text: string, data: object = {}) =>
  report(customer, server.deliver("message", server.message(lid, text, { _data: { notifyName: "Ann", ...data } })));

const lookups = () => server.requests.filter(({ path }) => path.includes("/lids/"));

describe("Messages from hidden ids", () => {
  it("A message from a hidden id belongs to the contact whose number WAHA returns, and the lookup is cached", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    server.lids.set(lid, chatOf(phone));
    await customer.send(phone);
    await write(customer, lid, "Hi");
    await write(customer, lid, "STOP");
    expect(await contactsOf(customer)).toMatchObject([{ phone, is_unsubscribed: true, external_ids: [{ id: lid }] }]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 2 }]);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
    expect(lookups()).toHaveLength(1);
    expect(lookups()[0]?.path).toBe(`/api/default/lids/${encodeURIComponent(lid)}`);
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    await write(customer, lid, "START");
    expect(lookups()).toHaveLength(2);
  });

  it.each([
    ["_data.key.remoteJidAlt", (jid: string) => ({ key: { remoteJidAlt: jid } })],
    ["_data.key.senderPn", (jid: string) => ({ key: { senderPn: jid } })],
    ["_data.Info.SenderAlt", (jid: string) => ({ Info: { SenderAlt: jid.replace("@", ":7@") } })],
  ])(
    "A message from a hidden id belongs to the number that the event contains in %s, without a lookup",
    async (_, data) => {
      const customer = await linkedCustomer(server);
      const [phone, lid] = [phoneEnding("1234"), newLid()];
      await report(customer, server.inbound(phone, "Hi"));
      await write(customer, lid, "STOP", data(`${phone.slice(1)}@s.whatsapp.net`));
      expect(await contactsOf(customer)).toMatchObject([{ phone, is_unsubscribed: true, external_ids: [{ id: lid }] }]);
      expect(lookups()).toEqual([]);
      await write(customer, lid, "hello?");
      expect(await contactsOf(customer)).toHaveLength(1);
    },
  );

  it("If the response to a send contains the recipient's hidden id, later messages from this id belong to the recipient", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    server.next(() => json({ id: `true_${lid}_3EB0LID`, fromMe: true }, 201));
    await customer.send(phone);
    expect(await contactsOf(customer)).toMatchObject([{ phone, external_ids: [{ id: lid }] }]);
    await write(customer, lid, "STOP");
    expect(await contactsOf(customer)).toMatchObject([{ phone, is_unsubscribed: true }]);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
  });

  it("An acknowledgement with a hidden id adds the id to the contact that received the message", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    await customer.send(phone);
    const [handed] = server.handed;
    const id = handed?.providerMessageId.replace(chatOf(phone), lid) ?? "";
    await report(customer, server.status({ providerMessageId: id, to: lid, request: null }, "", "delivered"), 2);
    expect(await contactsOf(customer)).toMatchObject([{ phone, external_ids: [{ id: lid }] }]);
  });

  it("A message from a hidden id without a known number creates a contact, which is merged when the number becomes known", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    await report(customer, server.inbound(phone, "by number"));
    await write(customer, lid, "STOP");
    expect(await contactsOf(customer)).toMatchObject([{ phone }, { phone: null, is_unsubscribed: true }]);
    server.lids.set(lid, chatOf(phone));
    vi.setSystemTime(Date.now() + DAY_MS);
    await write(customer, lid, "hello?");
    expect(await contactsOf(customer)).toMatchObject([{ phone, is_unsubscribed: true }]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 3 }]);
  });

  it("If WAHA cannot be reached to look up a hidden id, the message waits and is stored when WAHA responds again", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    await customer.send(phone);
    server.lids.set(lid, chatOf(phone));
    server.areLidsDown = true;
    customer.world.advance(1000);
    await write(customer, lid, "Hi");
    expect(await transcript(customer)).toMatchObject([{ unread_count: 0 }]);
    server.areLidsDown = false;
    await customer.world.settle({ copies: 2 });
    expect(await contactsOf(customer)).toMatchObject([{ phone }]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 1, last_message: "Hi" }]);
  });

  it("If the lookup of a hidden id keeps failing, the person's message is stored under the id, without a number", async () => {
    const customer = await linkedCustomer(server);
    const lid = newLid();
    server.areLidsDown = true;
    await write(customer, lid, "Hi");
    await customer.world.settle({ withinMs: 60 * 60_000 });
    expect(lookups()).toHaveLength(6);
    expect(await contactsOf(customer)).toMatchObject([{ phone: null, external_ids: [{ id: lid }] }]);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 1, last_message: "Hi" }]);
  });

  it("A failed lookup of a hidden id delays no other events, and is not repeated for each waiting message", async () => {
    const customer = await linkedCustomer(server);
    const phone = phoneEnding("1234");
    server.areLidsDown = true;
    const deliveries = [
      ...[newLid(), newLid(), newLid()].map((lid) => server.deliver("message", server.message(lid, "Hi"))),
      server.inbound(phone, "by number"),
    ];
    for (const { body, headers } of await Promise.all(deliveries)) {
      await customer.world.request("POST", `/hooks/${customer.connectionId}`, undefined, { raw: body, headers });
    }
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await contactsOf(customer)).toMatchObject([{ phone }]);
    expect(lookups()).toHaveLength(1);
  });
});

describe("Messages from the account's phone to hidden ids", () => {
  it("A message from the account's phone to a hidden id belongs to the contact with the number of the id", async () => {
    const customer = await linkedCustomer(server);
    const [phone, lid] = [phoneEnding("1234"), newLid()];
    server.lids.set(lid, chatOf(phone));
    await report(customer, server.inbound(phone, "Hi"));
    customer.world.advance(1000);
    await report(customer, server.own(`true_${lid}_3EB0PHONE`, lid, "On my way", "app"));
    expect(await contactsOf(customer)).toMatchObject([{ phone, external_ids: [{ id: lid }] }]);
    expect(await transcript(customer)).toMatchObject([{ last_message: "On my way" }]);
  });
});
