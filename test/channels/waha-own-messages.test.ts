import { describe, expect, it, vi } from "vitest";
import { linkedCustomer, playInEachTest, report, transcript } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { chatOf, WahaStandIn } from "../support/providers/waha.ts";
import { type Customer, phoneEnding } from "../support/world.ts";
import { soon } from "../support/soon.ts";

let server: WahaStandIn;

playInEachTest(() => (server = new WahaStandIn()));

const messagesOf = async (customer: Customer) => (await transcript(customer)).flatMap(({ messages }) => messages);

describe("Messages from the account's phone", () => {
  it("A message from the account's phone is stored once as outbound, and its acknowledgements may arrive in any order", async () => {
    const customer = await linkedCustomer(server);
    const to = phoneEnding("1234");
    const id = `true_${chatOf(to)}_3EB0PHONE`;
    await report(customer, server.status({ providerMessageId: id, to: "", request: null }, "", "delivered"));
    for (let copy = 0; copy < 3; copy++) await report(customer, server.own(id, chatOf(to), "On my way", "app"), 2);
    expect(await transcript(customer)).toMatchObject([
      {
        contact: { phone: to },
        unread_count: 0,
        status: "open",
        last_message: "On my way",
        messages: [{ body: "On my way", from_contact: false, delivery: "delivered" }],
      },
    ]);
    await report(customer, server.status({ providerMessageId: id, to: "", request: null }, "", "read"));
    expect(await messagesOf(customer)).toMatchObject([{ delivery: "read" }]);
  });

  it("A message from the account's phone is stored as a separate message, even if an API message has the same text", async () => {
    const customer = await linkedCustomer(server);
    const to = phoneEnding("1234");
    await customer.send(to, "OK");
    customer.world.advance(1000);
    await report(customer, server.own(`true_${chatOf(to)}_3EB0PHONE`, chatOf(to), "OK", "app"));
    expect(await messagesOf(customer)).toHaveLength(2);
  });
});

describe("Echoes of API messages", () => {
  it.each(["api", undefined])(
    "The echo of an API message is not stored as a second message; source: %s",
    async (source) => {
      const customer = await linkedCustomer(server);
      const to = phoneEnding("1234");
      await customer.send(to, "Hello");
      const id = server.handed[0]?.providerMessageId ?? "";
      await report(customer, server.own(id, chatOf(to), "Hello", source), 2);
      // WAHA may name the chat by its hidden id. The message is the same.
      await report(customer, server.own(id.replace(chatOf(to), "99999999@lid"), "99999999@lid", "Hello", source));
      expect(await messagesOf(customer)).toMatchObject([{ body: "Hello", delivery: "sent" }]);
    },
  );

  it.each(["api", undefined])(
    "An echo that arrives before the response to an API send marks the message as sent; source: %s",
    async (source) => {
      const customer = await linkedCustomer(server);
      const to = phoneEnding("1234");
      const held = Promise.withResolvers<undefined>();
      const play = vi.mocked(globalThis.fetch).getMockImplementation();
      vi.mocked(globalThis.fetch).mockImplementation(async (...call) => {
        const answer = await play?.(...call);
        await held.promise;
        return answer ?? Response.error();
      });
      const sending = customer.send(to, "Hello");
      await soon(() => expect(server.handed).toHaveLength(1));
      const [message] = server.handed;
      if (message === undefined) throw new Error("Nothing was handed over.");
      await report(customer, server.own(message.providerMessageId, chatOf(to), "Hello", source));
      await report(customer, server.status(message, "", "delivered"));
      held.resolve(undefined);
      await sending;
      expect(await messagesOf(customer)).toMatchObject([{ body: "Hello", delivery: "delivered" }]);
    },
  );

  it("If the response to a send was lost, the echo of the message marks it as sent", async () => {
    const customer = await linkedCustomer(server);
    const to = phoneEnding("1234");
    server.loseNext();
    const { message_id } = (await customer.send(to, "Hello")).body;
    expect((await customer.message(message_id)).delivery).toBe("unknown");
    const [message] = server.handed;
    if (message === undefined) throw new Error("Nothing was handed over.");
    await report(customer, server.own(message.providerMessageId, chatOf(to), "Hello", "api"));
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "sent",
      provider_message_id: message.providerMessageId,
    });
    await report(customer, server.status(message, "", "read"));
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(await messagesOf(customer)).toHaveLength(1);
  });

  it.each(["api", undefined])(
    "The echo of a message that waits for a retry marks the message as sent and cancels the retry; source: %s",
    async (source) => {
      const customer = await linkedCustomer(server);
      const to = phoneEnding("1234");
      server.next(server.failures.busy);
      const { message_id } = (await customer.send(to, "Hello")).body;
      expect((await customer.message(message_id)).delivery).toBe("queued");
      await report(customer, server.own(`true_${chatOf(to)}_3EB0ECHO`, chatOf(to), "Hello", source));
      expect(await customer.message(message_id)).toMatchObject({
        delivery: "sent",
        provider_message_id: expect.stringMatching(/3EB0ECHO$/),
      });
      await customer.world.settle();
      customer.world.advance(3_600_000);
      await customer.world.cron();
      await customer.world.settle();
      expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
      expect(await messagesOf(customer)).toMatchObject([{ body: "Hello", delivery: "sent" }]);
    },
  );

  it(
    "A phone message with the same text is not mistaken for the echo of a queued API message, which is still sent",
    { tags: "long" },
    async () => {
      const customer = await linkedCustomer(server);
      server.next(() => json({ statusCode: 429, message: "Too Many Requests" }, 429, { "Retry-After": "60" }));
      await customer.send(phoneEnding("1234"), "First");
      const to = phoneEnding("1234");
      const { message_id } = (await customer.send(to, "Second")).body;
      await report(customer, server.own(`true_${chatOf(to)}_3EB0PHONE`, chatOf(to), "Second"));
      expect((await customer.message(message_id)).delivery).toBe("queued");
      await customer.world.settle();
      expect(server.handed.map(({ request }) => request.text).toSorted((a, b) => a.localeCompare(b))).toEqual([
        "First",
        "Second",
      ]);
    },
  );

  it("A message that other software sends through the same WAHA server is not stored", async () => {
    const customer = await linkedCustomer(server);
    await report(customer, server.own("true_14155550100@c.us_3EB0OTHER", "14155550100@c.us", "Hello", "api"));
    expect(await transcript(customer)).toEqual([]);
  });
});
