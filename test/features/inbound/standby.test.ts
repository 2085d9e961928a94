import { beforeEach, describe, expect, it } from "vitest";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../../support/providers/linked.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding } from "../../support/world.ts";

let cloud: CloudStandIn;
let customer: Customer;
let from: string;
let count = 0;

playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(async () => {
  customer = await linkedCustomer(cloud);
  from = phoneEnding("1234");
});

const seconds = () => String(Math.floor(Date.now() / 1000));

/** A change of the field `standby`. Meta's reference nests the message in an object of that name. */
const standby = (lists: object) => {
  const metadata = { display_phone_number: "15550783881", phone_number_id: cloud.settings.phone_number_id };
  return cloud.deliver({ field: "standby", value: { messaging_product: "whatsapp", metadata, standby: lists } });
};

const text = (body: string) => ({ type: "text", text: { body } });

/** The person writes while Meta's agent answers. */
const writesToAgent = (body: string) => {
  const wa_id = from.slice(1);
  const message = { from: wa_id, id: `wamid.ask${count++}`, timestamp: seconds(), ...text(body) };
  return report(customer, standby({ contacts: [{ profile: { name: "Ann" }, wa_id }], messages: [message] }));
};

/** Meta's agent sends. `message` is the body of the agent's call. */
const agentSends = (message: object, more: object = {}, id = `wamid.agent${count++}`) => {
  const sent = { messaging_product: "whatsapp", to: from.slice(1), ...message };
  return report(customer, standby({ message_echoes: [{ id, timestamp: seconds(), message: sent, ...more }] }));
};

const waiting = async () =>
  (await onShard(customer, "SELECT waiting_since FROM conversations WHERE workspace_id = ?", customer.workspaceId)).map(
    ({ waiting_since }) => waiting_since,
  );

const messagesShown = async (): Promise<Answer["body"][]> => (await transcript(customer))[0].messages;

describe("Conversations with Meta's agent", () => {
  it("A conversation that Meta's agent answers contains both sides and who sent each message", async () => {
    await writesToAgent("Are you open today?");
    customer.world.advance(1000);
    await agentSends(text("Yes, until 6 pm."));
    const shown = await messagesShown();
    expect(shown).toMatchObject([
      { body: "Are you open today?", from_contact: true, sent_by: "contact", standby: true },
      { body: "Yes, until 6 pm.", from_contact: false, sent_by: "provider_agent", standby: true, delivery: "sent" },
    ]);
    expect(await customer.message(shown[1].id)).toMatchObject({ sent_by: "provider_agent", to: from });
    const { events } = (await customer.call("GET", "/events?types=message.*")).body;
    expect(events).toMatchObject([
      { type: "message.received", data: { message: { standby: true } } },
      { type: "message.sent", data: { message: { sent_by: "provider_agent" } } },
    ]);
  });

  it("A conversation that Meta's agent answers does not count as unanswered, even if it was done and is open again", async () => {
    await writesToAgent("Are you open today?");
    expect(await waiting()).toEqual([null]);
    const [{ id }] = await transcript(customer);
    for (const status of ["done", "open"]) await customer.call("PATCH", `/conversations/${id}`, { status });
    expect(await waiting()).toEqual([null]);
    customer.world.advance(1000);
    await report(customer, cloud.inbound(from, "I want a human"));
    expect(await waiting()).toEqual([expect.any(Number)]);
  });

  it("A done conversation stays done while Meta's agent answers it", async () => {
    await writesToAgent("Hi");
    const [{ id }] = await transcript(customer);
    await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    customer.world.advance(1000);
    await writesToAgent("Another thing");
    expect(await transcript(customer)).toMatchObject([{ status: "done", last_message: "Another thing" }]);
  });

  it("A conversation that counts as unanswered no longer does so after Meta's agent answers", async () => {
    await report(customer, cloud.inbound(from, "Hello?"));
    expect(await waiting()).toEqual([expect.any(Number)]);
    customer.world.advance(1000);
    await agentSends(text("How can I help?"));
    expect(await waiting()).toEqual([null]);
  });

  it("A STOP applies even while Meta's agent answers the conversation", async () => {
    await writesToAgent("STOP");
    expect((await customer.call("GET", "/contacts")).body.contacts).toMatchObject([{ is_unsubscribed: true }]);
  });
});

describe("Messages of Meta's agent", () => {
  it("A message from Meta's agent is stored once and has its reported statuses, in any order", async () => {
    const status = { id: "wamid.agentS", status: "delivered", timestamp: seconds(), recipient_id: from.slice(1) };
    await report(customer, standby({ statuses: [status] }), 2);
    await agentSends(text("Yes"), {}, "wamid.agentS");
    await agentSends(text("Yes"), {}, "wamid.agentS");
    expect(await messagesShown()).toMatchObject([{ body: "Yes", delivery: "delivered" }]);
    await report(customer, standby({ statuses: [{ ...status, status: "read" }] }));
    expect(await messagesShown()).toMatchObject([{ body: "Yes", delivery: "read" }]);
  });

  it("Meta's agent can write to a person without a number", async () => {
    await agentSends({ to: undefined, recipient: "US.77", ...text("Hi") });
    expect((await customer.call("GET", "/contacts")).body.contacts).toMatchObject([
      { phone: null, external_ids: [{ id: "US.77" }] },
    ]);
    expect(await messagesShown()).toMatchObject([{ body: "Hi", sent_by: "provider_agent" }]);
  });

  it("A message from Meta's agent has choices, files and templates as they were sent", async () => {
    const reply = { type: "reply", reply: { id: "b1", title: "Yes" } };
    const interactive = { type: "button", body: { text: "Book it?" }, action: { buttons: [reply] } };
    await agentSends({ type: "interactive", interactive });
    customer.world.advance(1000);
    await agentSends({ type: "image", image: { link: "https://files.test/menu.png", caption: "The menu" } });
    customer.world.advance(1000);
    const parameters = [{ type: "text", text: "Ann" }];
    const template = { name: "order", language: { code: "en" }, components: [{ type: "body", parameters }] };
    const components = [{ type: "BODY", text: "Hello {{1}}, it is on its way." }];
    await agentSends({ type: "template", template }, { template: { components } });
    customer.world.advance(1000);
    await agentSends({ type: "template", template });
    expect(await messagesShown()).toMatchObject([
      {
        type: "interactive",
        body: "Book it?",
        content: { type: "buttons", body: "Book it?", buttons: [{ id: "b1", title: "Yes" }] },
      },
      { type: "image", body: "[image] The menu", content: { caption: "The menu" } },
      { type: "text", body: "Hello Ann, it is on its way." },
      { type: "text", body: "[template] order" },
    ]);
  });

  it("A message from Meta's agent is skipped if it is malformed, and does not delay other messages", async () => {
    const good = { id: "wamid.good", timestamp: seconds(), message: { to: from.slice(1), ...text("Fine") } };
    const echoes = [null, {}, { id: "x" }, { id: "wamid.y", message: "text" }, good];
    await report(customer, standby({ message_echoes: echoes, messages: [7], contacts: "none" }));
    expect(await messagesShown()).toMatchObject([{ body: "Fine" }]);
    await report(customer, cloud.deliver({ field: "standby", value: { standby: {} } }));
    await report(customer, cloud.deliver({ field: "standby", value: { standby: [] } }));
  });
});

it("Messages that Meta's agent does not handle are not marked as standby", async () => {
  await report(customer, cloud.inbound(from, "Hello?"));
  customer.world.advance(1000);
  await customer.send(from, "Here");
  expect(await messagesShown()).toMatchObject([
    { sent_by: "contact", standby: false },
    { sent_by: "workspace", standby: false },
  ]);
});
