import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const faultsOf = async (answer: Promise<Answer>): Promise<string[]> => {
  const { status, body } = await answer;
  expect(status).toBe(400);
  return body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

/** Returns the message that the channel received last. */
const lastSent = (spy: { mock: { calls: Parameters<typeof sandbox.send>[] } }) => spy.mock.calls.at(-1)?.[1];

export async function storedFile(
  customer: Customer,
  { mimeType = "image/png", bytes = 1000, status = "stored" } = {},
): Promise<string> {
  const id = `med_${crypto.randomUUID()}`;
  await onShard(
    customer,
    "INSERT INTO media (id, workspace_id, status, mime_type, bytes, sha256, source, created_at) VALUES (?, ?, ?, ?, ?, 'ab', '{}', 0)",
    id,
    customer.workspaceId,
    status,
    mimeType,
    bytes,
  );
  return id;
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }));

const contents = {
  location: { latitude: 52.5, longitude: 13.4, name: "Office", address: "Main St 1" },
  contacts: [{ name: { formatted_name: "Ada Okafor" }, phones: [{ phone: "+14155550199", type: "CELL" }] }],
  interactive: {
    type: "buttons",
    body: "Coming?",
    header: "Friday",
    footer: "Acme",
    buttons: [
      { id: "y", title: "Yes" },
      { id: "n", title: "No" },
    ],
  },
};

describe("Messages of each kind", () => {
  it.each([
    ["location", contents.location, "[location] Office, Main St 1"],
    ["contacts", contents.contacts, "[contacts] Ada Okafor"],
    ["interactive", contents.interactive, "Coming?"],
    ["interactive", { type: "list", body: "Choose", button: "Menu", sections: [{ rows: rows(10) }] }, "Choose"],
    ["interactive", { type: "link", body: "Look", title: "Open", url: "https://example.com/a" }, "Look"],
    ["interactive", { type: "location_request", body: "Where are you?" }, "Where are you?"],
  ])("A message of kind %s reaches the channel with its content", async (type, content, body) => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const to = phoneEnding("1234");
    const { message_id, conversation_id } = (await customer.call("POST", "/messages", { to, [type]: content })).body;
    expect(lastSent(spy)).toMatchObject({ id: message_id, to, body, content: { type, content } });
    await world.settle();
    const shown = {
      type,
      content,
      body,
      reply_to: null,
      reactions: [],
      metadata: null,
      forwarded: false,
      send_at: null,
    };
    expect(await customer.message(message_id)).toMatchObject({ ...shown, to, delivery: "read" });
    const { messages } = (await customer.call("GET", `/conversations/${conversation_id}/messages`)).body;
    expect(messages).toMatchObject([shown]);
    spy.mockRestore();
  });

  it("A text message is returned as a string and can request a link preview", async () => {
    const customer = await new World().customer();
    const spy = vi.spyOn(sandbox, "send");
    const body = { to: phoneEnding("1234"), text: "https://example.com", preview_url: true };
    const { message_id } = (await customer.call("POST", "/messages", body)).body;
    expect(lastSent(spy)?.content).toEqual({ type: "text", content: { preview_url: true } });
    expect(await customer.message(message_id)).toMatchObject({ type: "text", content: "https://example.com" });
    const plain = (await customer.send(phoneEnding("1234"))).body.message_id;
    expect(lastSent(spy)?.content).toBeUndefined();
    expect(await customer.message(plain)).toMatchObject({ type: "text", content: "Hello" });
    spy.mockRestore();
  });

  it("A message of every kind can be a reply, on an official connection only while the window is open", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const to = phoneEnding("1234");
    const details = { last_inbound_at: null, expired_at: null };
    const { location } = contents;
    expect(await refusal(customer.call("POST", "/messages", { to, location }))).toEqual([
      422,
      "window_closed",
      details,
    ]);
    await customer.receive(to, "Hi");
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const answer = await customer.call("POST", `/conversations/${conversation.id}/messages`, { location });
    expect(answer.status).toBe(202);
  });

  it("A message of a kind that the provider does not support is rejected before anything is stored", async () => {
    const customer = await new World().customer();
    await onShard(customer, "UPDATE connections SET provider = 'waha' WHERE id = ?", customer.connectionId);
    const body = { to: phoneEnding("1234"), interactive: contents.interactive };
    const details = { type: "interactive", provider: "waha" };
    expect(await refusal(customer.call("POST", "/messages", body))).toEqual([422, "unsupported_message", details]);
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });
});

describe("Invalid messages", () => {
  it.each([
    [{}, "text required"],
    [{ text: "a", location: contents.location }, "location invalid_value"],
    [{ location: contents.location, preview_url: true }, "preview_url invalid_value"],
    [{ location: { latitude: 91, longitude: 0 } }, "location.latitude too_big"],
    [{ image: {} }, "image.media_id required"],
    [{ image: { media_id: "med_1", url: "https://example.com/a.png" } }, "image.url invalid_value"],
    [{ image: { url: "ftp://example.com/a.png" } }, "image.url invalid_format"],
    [{ sticker: { media_id: "med_1", caption: "x" } }, "sticker.caption unknown_field"],
    [{ image: { media_id: "med_1", caption: "x".repeat(1025) } }, "image.caption too_big"],
    [{ document: { media_id: "med_1", filename: "../menu.pdf" } }, "document.filename invalid_format"],
    [{ contacts: [] }, "contacts too_small"],
    [{ interactive: { ...contents.interactive, body: "x".repeat(1025) } }, "interactive.body too_big"],
    [{ interactive: { body: "a" } }, "interactive.type required"],
    [{ interactive: { ...contents.interactive, footer: "x".repeat(61) } }, "interactive.footer too_big"],
    [{ interactive: { ...contents.interactive, buttons: [] } }, "interactive.buttons too_small"],
    [{ interactive: { ...contents.interactive, buttons: rows(4) } }, "interactive.buttons too_big"],
    [
      { interactive: { ...contents.interactive, buttons: [...rows(1), { id: "r0", title: "Other" }] } },
      "interactive.buttons.1.id repeated",
    ],
    [
      { interactive: { ...contents.interactive, buttons: [...rows(1), { id: "r1", title: "Row 0" }] } },
      "interactive.buttons.1.title repeated",
    ],
    [
      {
        interactive: {
          type: "list",
          body: "a",
          button: "b",
          sections: [
            { title: "s", rows: rows(10) },
            { title: "t", rows: [{ id: "x", title: "x" }] },
          ],
        },
      },
      "interactive.sections too_big",
    ],
    [{ reaction: { message_id: "msg_1", emoji: "no" } }, "reaction.emoji invalid_value"],
    [{ text: "a", metadata: { a: "x".repeat(501) } }, "metadata.a too_big"],
    [{ text: "a", metadata: Object.fromEntries(rows(11).map(({ id }) => [id, "x"])) }, "metadata too_big"],
    [{ text: "a", send_at: "tomorrow" }, "send_at invalid_format"],
    [{ text: "a", send_at: "2020-01-01T00:00:00Z" }, "send_at out_of_range"],
  ])("An invalid message is rejected: %j", async (content, fault) => {
    const customer = await new World().customer();
    expect(await faultsOf(customer.call("POST", "/messages", { to: phoneEnding("1234"), ...content }))).toEqual([
      fault,
    ]);
  });

  it("A message without exactly one addressee is rejected", async () => {
    const customer = await new World().customer();
    expect(await faultsOf(customer.call("POST", "/messages", { text: "a" }))).toEqual(["to required"]);
    const two = { to: phoneEnding("1234"), contact_id: "ct_1", text: "a" };
    expect(await faultsOf(customer.call("POST", "/messages", two))).toEqual(["contact_id invalid_value"]);
  });
});

describe("Files", () => {
  it("A file is sent if it fits the message type", async () => {
    const world = new World();
    const customer = await world.customer();
    const accepted = { kind: "accepted", providerMessageId: crypto.randomUUID() } as const;
    const spy = vi.spyOn(sandbox, "send").mockResolvedValue(accepted);
    const media_id = await storedFile(customer);
    const to = phoneEnding("1234");
    const sent = await customer.call("POST", "/messages", { to, image: { media_id, caption: "Look" } });
    const { message_id } = sent.body;
    expect(lastSent(spy)?.content).toEqual({ type: "image", content: { media_id, caption: "Look" } });
    expect(await customer.message(message_id)).toMatchObject({
      body: "[image] Look",
      content: { media_id, caption: "Look" },
    });
    spy.mockRestore();
  });

  it("A file is rejected if it is too large, has the wrong type, could not be stored, is unknown or belongs to another workspace", async () => {
    const world = new World();
    const customer = await world.customer();
    const stranger = await world.customer();
    const send = async (kind: string, media_id: string) =>
      refusal(customer.call("POST", "/messages", { to: phoneEnding("1234"), [kind]: { media_id } }));
    const large = await storedFile(customer, { bytes: 6 * 1024 * 1024 });
    const limit = 5 * 1024 * 1024;
    expect(await send("image", large)).toEqual([422, "media_invalid", { reason: "too_large", limit }]);
    expect(await send("document", large)).toEqual([202, undefined, undefined]);
    expect(await send("audio", await storedFile(customer))).toEqual([422, "media_invalid", { reason: "wrong_type" }]);
    const failed = await storedFile(customer, { status: "failed" });
    expect(await send("image", failed)).toEqual([422, "media_invalid", { reason: "not_stored" }]);
    expect(await send("image", await storedFile(stranger))).toEqual([404, "not_found", null]);
    expect(await send("image", "med_unknown")).toEqual([404, "not_found", null]);
  });

  it("A file is fetched from its URL before the message is sent, and the message keeps its position in the thread", async () => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const to = phoneEnding("1234");
    const first = (await customer.call("POST", "/messages", { to, image: { url: "https://example.com/a.png" } })).body;
    world.advance(1);
    await customer.send(to, "after it");
    expect(spy).not.toHaveBeenCalled();
    const { content } = await customer.message(first.message_id);
    const fetched =
      "UPDATE media SET status = 'failed', reason = 'The address returned 404.', fetch_at = NULL WHERE id = ? AND workspace_id = ?";
    await onShard(customer, fetched, content.media_id, customer.workspaceId);
    world.advance(1);
    await customer.send(to, "and another");
    expect(await customer.message(first.message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "media_invalid", message: "The file cannot be sent. The address returned 404." },
    });
    expect(spy.mock.calls.map(([, { body }]) => body)).toEqual(["after it", "and another"]);
    spy.mockRestore();
  });

  it("A message is rejected if the URL of its file is forbidden", async () => {
    const customer = await new World({ ALLOW_PRIVATE_UPSTREAMS: "false" }).customer();
    const body = { to: phoneEnding("1234"), image: { url: "http://127.0.0.1/a.png" } };
    expect(await faultsOf(customer.call("POST", "/messages", body))).toEqual(["image.url invalid_value"]);
  });
});
