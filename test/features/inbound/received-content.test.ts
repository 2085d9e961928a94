import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../../support/providers/linked.ts";
import { type Answer, type Customer, phoneEnding } from "../../support/world.ts";

let cloud: CloudStandIn;
let customer: Customer;

playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(async () => {
  stopClock();
  customer = await linkedCustomer(cloud);
});

/** The last message of the only conversation, as `GET /messages/:id` returns it. */
async function receive(content: object, from = phoneEnding("1234")): Promise<Answer["body"]> {
  vi.advanceTimersByTime(1000); // providers report times in seconds, by which messages are sorted
  await report(customer, cloud.deliver(cloud.message(from, content)));
  const [{ messages }] = await transcript(customer);
  const message = await customer.message(messages.at(-1).id);
  expect(messages.at(-1)).toMatchObject({
    content: message.content,
    reply_to_provider_id: message.reply_to_provider_id,
  });
  return message;
}

describe("Replies to unknown messages", () => {
  const text = { type: "text", text: { body: "Yes, that one" } };

  it("A reply to a message that Tidings does not store contains that message's provider id, in the API and in the event", async () => {
    const message = await receive({ ...text, context: { from: "15550783881", id: "wamid.elsewhere" } });
    expect(message).toMatchObject({ reply_to: null, reply_to_provider_id: "wamid.elsewhere" });
    const { events } = (await customer.call("GET", "/events?types=message.received")).body;
    expect(events).toMatchObject([{ data: { message: { reply_to_provider_id: "wamid.elsewhere" } } }]);
  });

  it("If the quoted message of a reply arrives late, the reply then contains its Tidings id instead of the provider's id", async () => {
    const from = phoneEnding("1234");
    const { id } = await receive({ ...text, context: { id: "wamid.late" } }, from);
    const late = { from: from.slice(1), id: "wamid.late", timestamp: "1739321024", ...text };
    await report(customer, cloud.deliver(cloud.messages({ messages: [late] })));
    expect(await customer.message(id)).toMatchObject({
      reply_to: expect.stringMatching(/^msg_/),
      reply_to_provider_id: null,
    });
  });

  it("A reply contains the provider's id of the quoted message only if Tidings does not store that message", async () => {
    const from = phoneEnding("1234");
    const first = await receive(text, from);
    expect(first).toMatchObject({ reply_to: null, reply_to_provider_id: null });
    const second = await receive({ ...text, context: { id: first.provider_message_id } }, from);
    expect(second).toMatchObject({ reply_to: first.id, reply_to_provider_id: null });
  });
});

describe("Received locations", () => {
  const place = { latitude: 37.42, longitude: -122.08, name: "Park", address: "1 Main St" };

  it("A received location keeps its web address", async () => {
    const location = { ...place, url: "https://foursquare.com/v/park" };
    expect(await receive({ type: "location", location })).toMatchObject({ type: "location", content: location });
  });

  it("A received location is stored without an invalid web address", async () => {
    const { content } = await receive({ type: "location", location: { ...place, url: "javascript:alert(1)" } });
    expect(content).toEqual(place);
  });

  it("A received location or text is recognized even if the message does not name its type", async () => {
    const from = phoneEnding("1234");
    expect(await receive({ location: place }, from)).toMatchObject({
      type: "location",
      content: place,
      body: "[location] Park, 1 Main St, 37.42, -122.08",
    });
    expect(await receive({ text: { body: "Hi" } }, from)).toMatchObject({ type: "text", body: "Hi" });
  });
});

describe("Received contact cards", () => {
  const card = {
    name: { formatted_name: "Barbara Johnson" },
    phones: [{ phone: "+1 415 555 0829", type: "MOBILE", wa_id: "14155550829", user_id: "US.13491208655302" }],
    org: { company: "Social Tsunami", department: "Legal", title: "Counsel" },
    addresses: [
      {
        street: "1 Lucky Shrub Way",
        city: "Menlo Park",
        state: "CA",
        zip: "94025",
        country: "United States",
        country_code: "US",
        type: "WORK",
      },
    ],
    urls: [{ url: "https://www.luckyshrub.com", type: "WORK" }],
    birthday: "1999-01-23",
  };

  it("Received contact cards keep addresses, web addresses, birthday, department and the ids of WhatsApp", async () => {
    const { content } = await receive({ type: "contacts", contacts: [card] });
    expect(content).toEqual([card]);
  });

  it("The received contact card of a person without a number stores the user id, and that the card was requested", async () => {
    const { content } = await receive({
      type: "contacts",
      contacts: [{ name: { formatted_name: "Ann" }, user_id: "US.1", origin: "contact_request", urls: [], phones: [] }],
    });
    expect(content).toEqual([
      { name: { formatted_name: "Ann" }, phones: [], user_id: "US.1", origin: "contact_request" },
    ]);
  });

  it("Received contact cards are truncated if they are huge", async () => {
    const urls = Array.from({ length: 30 }, () => ({ url: `https://example.com/${"a".repeat(3000)}` }));
    const { content } = await receive({
      type: "contacts",
      contacts: [{ ...card, urls, birthday: "x".repeat(50_000) }],
    });
    expect(JSON.stringify(content).length).toBeLessThan(40_000);
    expect(content[0].name).toEqual(card.name);
    expect(content[0].urls.length).toBeLessThanOrEqual(20);
    expect(content[0].birthday.length).toBeLessThanOrEqual(40);
  });
});

describe("Messages that WhatsApp does not forward", () => {
  it("If WhatsApp does not forward a message, the message is stored with the code and the texts of the reason", async () => {
    const message = await receive({
      type: "unsupported",
      errors: [
        {
          code: 131051,
          title: "Message type unknown",
          message: "Message type unknown",
          error_data: { details: "Message type is currently not supported." },
        },
      ],
      unsupported: { type: "poll_creation" },
    });
    expect(message).toMatchObject({
      type: "unsupported",
      content: {
        kind: "poll_creation",
        provider_code: "131051",
        title: "Message type unknown",
        reason: "Message type is currently not supported.",
      },
    });
  });
});
