import { beforeEach, describe, expect, it } from "vitest";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../support/clock.ts";
import { directIo } from "../../support/providers/linked.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const simulate = (customer: Customer, body: object) =>
  customer.manage("POST", `/connections/${customer.connectionId}/simulate`, body);

const json = (text: unknown) => (typeof text === "string" ? JSON.parse(text) : text);

async function storedParts(customer: Customer, id: string): Promise<Answer["body"]> {
  const [row] = await onShard(
    customer,
    "SELECT type, content, reply_to, reply_to_key, is_forwarded, referral FROM messages WHERE id = ?",
    id,
  );
  const { type, content, reply_to, is_forwarded, referral } = row ?? {};
  return { type, content: json(content), reply_to, forwarded: is_forwarded === 1, referral: json(referral) };
}

async function played(customer: Customer, body: object): Promise<Answer["body"]> {
  const answer = await simulate(customer, { from: "+14155550177", ...body });
  expect(answer.status).toBe(202);
  await customer.world.settle();
  return {
    ...(await customer.message(answer.body.message_id)),
    ...(await storedParts(customer, answer.body.message_id)),
  };
}

const card = { name: { formatted_name: "Ann" }, phones: [{ phone: "+14155550199", type: "CELL" }] };
const order = { text: "Quick", products: [{ product_id: "p1", quantity: 2, price: 9.5, currency: "EUR" }] };

describe("Simulated messages", () => {
  it.each<[string, object, string, unknown]>([
    [
      "location",
      { latitude: 1, longitude: 2, name: "Shop" },
      "[location] Shop, 1, 2",
      { latitude: 1, longitude: 2, name: "Shop" },
    ],
    ["contacts", [card], "[contact] Ann +14155550199", [card]],
    ["button_reply", { id: "b1", title: "Yes" }, "Yes", { id: "b1", title: "Yes" }],
    [
      "list_reply",
      { id: "r1", title: "Tea", description: "Hot" },
      "Tea",
      { id: "r1", title: "Tea", description: "Hot" },
    ],
    [
      "form_reply",
      { name: "flow", response: { size: "L" } },
      '[flow] {"size":"L"}',
      { name: "flow", response: { size: "L" } },
    ],
    ["order", order, "[order] 1 item Quick", order],
    ["unsupported", { kind: "poll" }, "[poll]", { kind: "poll" }],
  ])("A simulated message of the kind %s arrives with its parts", async (type, sent, body, content) => {
    const customer = await new World().customer();
    expect(await played(customer, { [type]: sent })).toMatchObject({ type, body, content, from_contact: true });
  });

  it("A simulated message can quote a message, be forwarded, and name its advertisement", async () => {
    const customer = await new World().customer();
    const first = await played(customer, { text: "One" });
    const referral = { source_type: "ad", headline: "Sale" };
    const second = await played(customer, { text: "Two", reply_to: first.id, forwarded: true, referral });
    expect(second).toMatchObject({ body: "Two", reply_to: first.id, forwarded: true, referral });
  });

  it("A simulated message is rejected if it does not have exactly one valid content", async () => {
    const customer = await new World().customer();
    for (const body of [
      { from: "a" },
      { from: "a", text: "b", button_reply: { id: "1", title: "x" } },
      { from: "a", image: {} },
      { from: "a", image: { media_id: "med_1", url: "https://example.com/a.jpg" } },
      { from: "a", image: { url: "ftp://example.com" } },
      { from: "a", order: { products: [] } },
      { from: "a", location: { latitude: 91, longitude: 0 } },
    ]) {
      const answer = await simulate(customer, body);
      expect([answer.status, answer.body.error.code], JSON.stringify(body)).toEqual([400, "validation_failed"]);
    }
  });
});

describe("Sandbox numbers", () => {
  it("A sandbox number ending in 0009 has a user id, and replies that arrive from this id are in the same conversation", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("0009");
    const { message_id, contact_id, conversation_id } = (await customer.send(to, "Hi")).body;
    await customer.world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
    const { contact } = (await customer.call("GET", `/contacts/${contact_id}`)).body;
    expect(contact).toMatchObject({ phone: to, external_ids: [{ id: `person.${to.slice(1)}` }] });
    const { messages } = (await customer.call("GET", `/conversations/${conversation_id}/messages`)).body;
    expect(messages.map(({ body }: Answer["body"]) => body)).toEqual(["Hello", "Hi"]);
  });

  it("A sandbox number ending in 0006 replies to a location with the location, and presses the first button of a message", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("0006");
    await simulate(customer, { from: to, text: "Hi" });
    await customer.world.settle();
    const location = { latitude: 1, longitude: 2 };
    const buttons = { type: "buttons", body: "Which?", buttons: [{ id: "b1", title: "This" }] };
    for (const content of [{ location }, { interactive: buttons }]) {
      customer.world.advance(1000);
      const { status, body } = await customer.call("POST", "/messages", { to, ...content });
      expect([status, body.error]).toEqual([202, undefined]);
      await customer.world.settle();
    }
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
    const echoes = messages.filter(({ from_contact: isTheirs }: Answer["body"]) => isTheirs);
    const stored = await Promise.all(echoes.map(({ id }: Answer["body"]) => storedParts(customer, id)));
    expect(stored.toReversed().slice(1)).toMatchObject([
      { type: "location", content: location },
      { type: "button_reply", content: { id: "b1", title: "This" }, reply_to: expect.stringMatching(/^msg_/) },
    ]);
    const [last, before] = await customer.outbox();
    expect(last).toMatchObject({ type: "interactive", content: buttons, reply_to: null });
    expect(before).toMatchObject({ type: "location", content: location });
  });
});

describe("Outbox", () => {
  it("The sandbox outbox shows texts and quoted messages", async () => {
    const customer = await new World().customer();
    const first = await played(customer, { text: "One" });
    await customer.call("POST", `/conversations/${first.conversation_id}/messages`, {
      text: "Two",
      reply_to: first.id,
    });
    expect(await customer.outbox()).toMatchObject([{ body: "Two", type: "text", content: null, reply_to: first.id }]);
  });

  it("The sandbox outbox shows read receipts, latest first", async () => {
    const customer = await new World().customer();
    const held = new Map<string, unknown>();
    const { env } = customer.world;
    const memory = {
      get: async (key: string) => held.get(key) ?? env.CACHE.get(key, "json"),
      put: async (key: string, value: object) => {
        held.set(key, value);
        await env.CACHE.put(key, JSON.stringify(value));
      },
    };
    for (const id of ["msg_1", "msg_2"]) {
      const receipt = { providerMessageId: `sandbox-${id}`, from: "+14155550177" };
      await sandbox.markRead?.({ id: customer.connectionId, config: {} }, receipt, { ...directIo(), memory });
    }
    const { receipts } = (await customer.manage("GET", `/connections/${customer.connectionId}/outbox`)).body;
    expect(receipts).toEqual([
      { from: "+14155550177", message_id: "msg_2" },
      { from: "+14155550177", message_id: "msg_1" },
    ]);
  });
});

describe("Files on the sandbox", () => {
  const media = { mimeType: null, filename: null, sha256: null };
  const connection = { id: "conn_1", config: {} };

  it("The sandbox opens a file of the workspace, and fails if the workspace has no file with the id", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const file = {
      id: "med_1",
      mimeType: "image/png",
      bytes: 3,
      sha256: "00",
      filename: null,
      read: () => Promise.resolve(new Blob([bytes]).stream()),
      link: () => Promise.reject(new Error("Nobody asks for links here.")),
    };
    const io = { ...directIo(), media: { ...directIo().media, open: () => Promise.resolve(file) } };
    const fetched = await sandbox.fetchMedia?.(connection, { ...media, id: "med_1", url: null }, io);
    expect([fetched?.mimeType, fetched?.bytes]).toEqual(["image/png", 3]);
    expect(new Uint8Array(await new Response(fetched?.body).arrayBuffer())).toEqual(bytes);
    const gone = sandbox.fetchMedia?.(connection, { ...media, id: "med_2", url: null }, directIo());
    await expect(gone).rejects.toMatchObject({ detail: expect.any(String) });
  });

  it("A sandbox message is rejected if its file was deleted before the send", async () => {
    const message = {
      id: "msg_1",
      to: "+14155550100",
      body: "[image]",
      attempt: 1,
      content: { type: "image" as const, content: { media_id: "med_2" } },
    };
    expect(await sandbox.send(connection, message, directIo())).toMatchObject({
      kind: "refused",
      error: { code: "media_invalid" },
    });
  });
});
