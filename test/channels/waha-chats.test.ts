import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { addPeople, startCampaign } from "../support/campaigns.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { onShard } from "../support/storage.ts";
import { createTemplate } from "../support/templates.ts";
import { skipWaits } from "../support/waits.ts";
import type { Customer } from "../support/world.ts";

let waha: WahaStandIn;

playInEachTest(() => (waha = new WahaStandIn()));

// One message per second may be sent.
beforeEach(() => {
  stopClock();
  skipWaits();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const DAY_MS = 86_400_000;
const chats = () => waha.handed.map(({ to }) => to);
const checked = () =>
  waha.requests
    .filter(({ path }) => path.includes("check-exists"))
    .map(({ path }) => new URL(path, "http://waha").searchParams.get("phone"));

async function say(customer: Customer, to: string, text = "Hello"): Promise<string> {
  const { message_id } = (await customer.send(to, text)).body;
  await customer.world.settle();
  return message_id;
}

async function reply(customer: Customer, text = "Hi there") {
  const [conversation] = await transcript(customer);
  const answer = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text });
  await customer.world.settle();
  return customer.message(answer.body.message_id);
}

describe("Replies", () => {
  it("A reply goes to the chat in which the person wrote, whichever spelling of the number the contact has", async () => {
    const customer = await linkedCustomer(waha);
    await customer.call("POST", "/contacts", { phone: "+5511987654321", name: "Ana" });
    await report(customer, waha.inbound("+551187654321", "Oi"));
    expect((await reply(customer)).to).toBe("+551187654321");
    expect(chats()).toEqual(["551187654321@c.us"]);
    expect(checked()).toEqual([]);
    const [conversation] = await transcript(customer);
    expect(conversation.contact).toMatchObject({ name: "Ana", phone: "+5511987654321" });
  });

  it("A reply goes to the hidden id from which the person wrote", async () => {
    const customer = await linkedCustomer(waha);
    await report(customer, waha.deliver("message", waha.message("12345678901234@lid", "Oi")));
    await reply(customer);
    expect(chats()).toEqual(["12345678901234@lid"]);
  });

  it("A reply goes to the number from which the person wrote, even if the event has a hidden id", async () => {
    const customer = await linkedCustomer(waha);
    const _data = { notifyName: "Ana", key: { remoteJidAlt: "12345678901234@lid" } };
    await report(customer, waha.deliver("message", waha.message("551187654321@c.us", "Oi", { _data })));
    await reply(customer);
    expect(chats()).toEqual(["551187654321@c.us"]);
  });

  it("A reply goes to the chat in which the person last wrote, even if the events arrive in another order", async () => {
    const customer = await linkedCustomer(waha);
    const at = Math.floor(Date.now() / 1000) - 60;
    const written = (number: string, timestamp: number) =>
      waha.deliver("message", waha.message(`${number}@c.us`, "Oi", { timestamp }));
    await report(customer, written("551187654321", at + 10));
    await report(customer, written("5511987654321", at));
    await reply(customer);
    await report(customer, written("5511987654321", at + 20));
    await reply(customer);
    expect(chats()).toEqual(["551187654321@c.us", "5511987654321@c.us"]);
  });

  it("A reply goes to the contact's new number after the number changes", async () => {
    const customer = await linkedCustomer(waha);
    await report(customer, waha.inbound("+551187654321", "Oi"));
    const [{ contact }] = await transcript(customer);
    await customer.call("PATCH", `/contacts/${contact.id}`, { phone: "+14155550100" });
    await reply(customer);
    expect(chats()).toEqual(["14155550100@c.us"]);
  });

  it("A reply goes to the contact's number if the conversation has no stored chat", async () => {
    const customer = await linkedCustomer(waha);
    await report(customer, waha.inbound("+14155550100", "Hi"));
    await onShard(customer, "UPDATE conversations SET wrote_from = NULL, wrote_from_key = NULL");
    await reply(customer);
    expect(chats()).toEqual(["14155550100@c.us"]);
  });
});

describe("Messages to a number", () => {
  it.each([
    ["Brazil", "+5511987654321", "551187654321"],
    ["Brazil", "+551187654321", "5511987654321"],
    ["Mexico", "+525512345678", "5215512345678"],
    ["Argentina", "+5491123456789", "541123456789"],
  ])(
    "In %s, a message to a number with two spellings goes to the chat that WhatsApp returns: %s",
    async (_, to, account) => {
      const customer = await linkedCustomer(waha);
      waha.accounts.set(to.replace("+", ""), `${account}@c.us`);
      const id = await say(customer, to);
      expect(chats()).toEqual([`${account}@c.us`]);
      expect(await customer.message(id)).toMatchObject({ to, delivery: "sent" });
    },
  );

  it("The chat of a number is looked up through WAHA once, and then cached for a limited time", async () => {
    const customer = await linkedCustomer(waha);
    waha.accounts.set("5511987654321", "551187654321@c.us");
    for (let n = 0; n < 3; n++) await say(customer, "+5511987654321");
    await say(customer, "+551187654321");
    expect(checked()).toEqual(["5511987654321"]);
    expect(chats()).toEqual(Array(4).fill("551187654321@c.us"));
    const { keys } = await customer.world.env.CACHE.list({ prefix: `chat:${customer.connectionId}:` });
    expect(keys).toMatchObject([{ expiration: expect.any(Number) }]);
  });

  it("If WhatsApp does not know one spelling of a number, Tidings looks up the other spelling through WAHA", async () => {
    const customer = await linkedCustomer(waha);
    waha.absent.add("5511987654321");
    await say(customer, "+5511987654321");
    expect(checked()).toEqual(["5511987654321", "551187654321"]);
    expect(chats()).toEqual(["551187654321@c.us"]);
  });

  it("If WhatsApp knows no spelling of a number, messages go to the given spelling, and the failed lookup is cached for a day", async () => {
    const customer = await linkedCustomer(waha);
    for (const number of ["5511987654321", "551187654321"]) waha.absent.add(number);
    await say(customer, "+5511987654321");
    await say(customer, "+5511987654321");
    expect(chats()).toEqual(["5511987654321@c.us", "5511987654321@c.us"]);
    expect(checked()).toHaveLength(2);
    const { keys } = await customer.world.env.CACHE.list({ prefix: `chat:${customer.connectionId}:` });
    const left = Number(keys[0]?.expiration) * 1000 - Date.now();
    expect(left).toBeLessThanOrEqual(DAY_MS + 60_000);
  });

  it.each([
    ["an error", () => json({ message: "Evaluation failed" }, 500)],
    ["nonsense", () => json({ hello: "world" })],
    ["nothing", () => "lost" as const],
    ["a redirect", () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1:9/" } })],
    ["somebody else", () => json({ numberExists: true, chatId: "14155550100@c.us" })],
    ["a group", () => json({ numberExists: true, chatId: "120363123456789@g.us" })],
  ])("A message is sent once, to the given spelling, if the lookup of the chat returns %s", async (_, answer) => {
    const customer = await linkedCustomer(waha);
    waha.checks.push(answer, answer);
    const id = await say(customer, "+5511987654321");
    expect(chats()).toEqual(["5511987654321@c.us"]);
    expect((await customer.message(id)).delivery).toBe("sent");
  });

  it("Tidings does not look up the chat of a number that has only one spelling", async () => {
    const customer = await linkedCustomer(waha);
    for (const to of ["+14155550100", "+491701234567", "+551133334444"]) await say(customer, to);
    expect(checked()).toEqual([]);
  });

  it("A message goes to the spelling of the number from which the person wrote, without a lookup of the chat", async () => {
    const customer = await linkedCustomer(waha);
    await report(customer, waha.inbound("+551187654321", "Oi"));
    const id = await say(customer, "+5511987654321");
    expect(chats()).toEqual(["551187654321@c.us"]);
    expect(checked()).toEqual([]);
    expect((await customer.message(id)).to).toBe("+5511987654321");
  });

  it("The chat of a number is cached only for the connection that looked it up", async () => {
    const customer = await linkedCustomer(waha);
    const other = await linkedCustomer(waha, customer.world);
    await say(customer, "+5511987654321");
    await say(other, "+5511987654321");
    expect(checked()).toHaveLength(2);
  });

  it("A campaign looks up the chat of a number that has two spellings", async () => {
    const customer = await linkedCustomer(waha);
    await addPeople(customer, 1);
    await customer.call("POST", "/contacts", { phone: "+5511987654321" });
    waha.accounts.set("5511987654321", "551187654321@c.us");
    const template_id = await createTemplate(customer, "Sale");
    await startCampaign(customer, { template_id, variables: [] });
    await customer.world.settle();
    expect(checked()).toEqual(["5511987654321"]);
    expect(chats()).toContain("551187654321@c.us");
    expect(chats()).toHaveLength(2);
  });
});
