import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGES_PER_PART } from "../../../../src/features/messages/send/send-batch.ts";
import { stopClock } from "../../../support/clock.ts";
import { storeFile } from "../../../support/media.ts";
import { errorsOf, sendBatch, statusesOf, textsTo } from "../../../support/message-batches.ts";
import { costOf, onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { type Answer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Batches of messages", () => {
  it("A batch sends each message to its person, in order, and returns each result", async () => {
    const world = new World();
    const customer = await world.customer();
    const [ada, ben] = [phoneEnding("1234"), phoneEnding("1235")];
    const answer = await sendBatch(customer, [
      { to: ada, text: "One" },
      { to: ben, text: "Two", metadata: { order: "1" } },
      { to: ada, text: "Three" },
    ]);
    expect(answer.status).toBe(200);
    const [first, second, third] = answer.body.results;
    expect(answer.body.counts).toEqual({ queued: 3, scheduled: 0, failed: 0 });
    expect(first).toEqual({
      index: 0,
      status: "queued",
      message_id: expect.stringMatching(/^msg_/),
      conversation_id: expect.stringMatching(/^cnv_/),
      contact_id: expect.stringMatching(/^ct_/),
      error: null,
    });
    // A new person in two rows becomes one contact with one conversation.
    expect(third).toMatchObject({ contact_id: first.contact_id, conversation_id: first.conversation_id });
    expect((await customer.call("GET", "/contacts?include_total=true")).body.total).toBe(2);
    await world.settle();
    expect(new Set((await customer.outbox(`?to=${encodeURIComponent(ada)}`)).map(({ body }) => body))).toEqual(
      new Set(["One", "Three"]),
    );
    const times = await Promise.all(
      [first, third].map(async (row) => Date.parse((await customer.message(row.message_id)).sent_at)),
    );
    expect(times[0]).toBeLessThanOrEqual(times[1] ?? 0);
    expect(await customer.message(second.message_id)).toMatchObject({ delivery: "read", metadata: { order: "1" } });
    const { events } = (await customer.call("GET", "/events?types=contact.created,conversation.opened,message.queued"))
      .body;
    expect(events.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      ...Array.from({ length: 2 }, () => "contact.created"),
      ...Array.from({ length: 2 }, () => "conversation.opened"),
      ...Array.from({ length: 3 }, () => "message.queued"),
    ]);
  });

  it("A batch accepts messages of every type, and every kind of addressee", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "Hello?");
    const { contact_id, conversation_id } = (await customer.send(to)).body;
    const history = (await customer.call("GET", `/conversations/${conversation_id}/messages`)).body.messages;
    const theirs = history.find(({ from_contact }: Answer["body"]) => from_contact).id;
    await customer.receive("ada-without-number", "Hi");
    const { id: media_id } = await storeFile(customer);
    world.advance(1000);
    const send_at = new Date(Date.now() + 60_000).toISOString();
    const answer = await sendBatch(customer, [
      { to, text: "Quoting", reply_to: theirs },
      { to, reaction: { message_id: theirs, emoji: "👍" } },
      { contact_id, image: { media_id, caption: "Menu" } },
      { to, location: { latitude: 1, longitude: 2 } },
      { user_id: "ada-without-number", text: "By id" },
      { to, text: "Later", send_at },
    ]);
    expect(errorsOf(answer)).toEqual(Array.from({ length: 6 }, () => null));
    expect(answer.body.counts).toEqual({ queued: 5, scheduled: 1, failed: 0 });
    const ids = answer.body.results.map(({ message_id }: Answer["body"]) => message_id);
    expect(ids[1]).toBe(theirs);
    await world.settle({ withinMs: 59_000 });
    expect(await customer.message(ids[5])).toMatchObject({ delivery: "scheduled" });
    expect(await customer.message(ids[0])).toMatchObject({ reply_to: theirs, delivery: "read" });
    await world.settle();
    const left = await customer.message(ids[5]);
    expect(left.delivery).toBe("read");
    expect(Date.parse(left.sent_at) - Date.parse(send_at)).toBeLessThan(1000);
    expect(await customer.outbox("?limit=100")).toHaveLength(7);
  });

  it("A batch fetches files from URLs and then sends their messages", async () => {
    const world = new World();
    const customer = await world.customer();
    const png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    vi.spyOn(globalThis, "fetch").mockImplementation(() =>
      Promise.resolve(
        new Response(
          Uint8Array.from(png, (letter) => letter.charCodeAt(0)),
          { headers: { "Content-Type": "image/png" } },
        ),
      ),
    );
    const image = { url: "https://files.example.org/menu.png" };
    const answer = await sendBatch(customer, [
      { to: phoneEnding("1234"), image },
      { to: phoneEnding("1234"), image },
      { to: phoneEnding("1234"), image: { url: "menu.png" } },
    ]);
    expect(statusesOf(answer)).toEqual(["queued", "queued", "failed"]);
    expect(errorsOf(answer)[2]).toEqual(["validation_failed", [expect.objectContaining({ path: "image.url" })]]);
    expect(await customer.outbox()).toEqual([]);
    await world.settle();
    expect(await customer.outbox()).toHaveLength(2);
    vi.restoreAllMocks();
  });

  it("A message batch rejects invalid rows only, each with the same error as a single message", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const stranger = await world.customer();
    const [open, optedOut, closed] = [phoneEnding("1234"), phoneEnding("1234"), phoneEnding("1234")];
    await customer.receive(open, "Hi");
    await customer.receive(optedOut, "STOP");
    const { contact } = (await customer.call("POST", "/contacts", { email: "a@example.com" })).body;
    const other = (await stranger.call("POST", "/contacts", { phone: phoneEnding("1234") })).body.contact;
    const theirs = (await stranger.send(phoneEnding("1234"))).body.message_id;
    const past = new Date(Date.now() - 1).toISOString();
    const bodies: unknown[] = [
      { to: open, text: "Goes" },
      { to: closed, text: "Hi" },
      { to: optedOut, text: "Hi" },
      { contact_id: contact.id, text: "Hi" },
      { contact_id: other.id, text: "Hi" },
      { contact_id: "ct_unknown", text: "Hi" },
      { user_id: "not like an id", text: "Hi" },
      { to: open, text: "Hi", reply_to: theirs },
      { to: open, image: { media_id: "med_unknown" } },
      { to: open, text: "Hi", send_at: past },
      { to: open, text: "Hi", image: { media_id: "med_unknown" } },
      { to: open, text: "Hi", priority: 1 },
      { to: "12", text: "Hi" },
      { text: "Hi" },
      "not an object",
      null,
      7,
      [],
      { to: open, text: "a\u0000b" },
      { to: open, text: "Goes too" },
    ];
    const answer = await sendBatch(customer, bodies);
    expect(answer.body.counts).toEqual({ queued: 2, scheduled: 0, failed: bodies.length - 2 });
    expect(answer.body.results.map(({ index }: Answer["body"]) => index)).toEqual(bodies.map((_, index) => index));
    for (const [index, body] of bodies.entries()) {
      if (typeof body !== "object" || body === null || Array.isArray(body)) continue;
      const { error, message_id, contact_id, conversation_id } = answer.body.results[index];
      if (error === null) continue;
      expect([message_id, contact_id, conversation_id]).toEqual([null, null, null]);
      const single = await customer.call("POST", "/messages", body);
      expect(error, JSON.stringify(body)).toEqual(single.body.error);
    }
    const message = "Must be an object.";
    for (const [at, [, details]] of errorsOf(answer).slice(14, 18).entries())
      expect(details).toEqual([{ path: `messages.${14 + at}`, code: "invalid_type", message }]);
    await world.settle();
    expect(new Set((await customer.outbox()).map(({ body }) => body))).toEqual(new Set(["Goes", "Goes too"]));
  });

  it("If the contact of a batch row was merged into another contact, the row's result contains the other contact", async () => {
    const customer = await new World().customer();
    const [kept, gone] = [phoneEnding("1234"), phoneEnding("1234")];
    const { contact } = (await customer.call("POST", "/contacts", { phone: kept })).body;
    const removed = (await customer.call("POST", "/contacts", { phone: gone })).body.contact;
    await onShard(
      customer,
      "INSERT INTO contact_joins (workspace_id, from_id, from_seq, into_seq, joined_at, moved_at) " +
        "SELECT ?, a.id, a.seq, b.seq, 1, 1 FROM contacts a, contacts b WHERE a.id = ? AND b.id = ?",
      customer.workspaceId,
      removed.id,
      contact.id,
    );
    await onShard(customer, "DELETE FROM contacts WHERE id = ?", removed.id);
    const answer = await sendBatch(customer, [
      { contact_id: removed.id, text: "Hi" },
      { contact_id: contact.id, text: "Hi" },
    ]);
    expect(errorsOf(answer)).toEqual([["not_found", { merged_into: contact.id }], null]);
  });

  it("A message batch is rejected as a whole if the body is not a batch or the key is read-only", async () => {
    const world = new World();
    const customer = await world.customer();
    for (const body of [
      {},
      { messages: [] },
      { messages: {} },
      { messages: textsTo(101) },
      { messages: textsTo(1), to: "x" },
    ])
      expect((await customer.call("POST", "/messages/batch", body)).status).toBe(400);
    const long = textsTo(100).map((message) => ({
      ...message,
      metadata: { a: "x".repeat(500) },
      text: "y".repeat(10_000),
    }));
    expect((await sendBatch(customer, long)).status).toBe(413);
    const reading = await world.customer({ key: { read_only: true } });
    expect(await refusal(sendBatch(reading, textsTo(1)))).toEqual([403, "forbidden", null]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("If the connection cannot send, every row of a batch fails", async () => {
    const customer = await new World().customer();
    await onShard(customer, "UPDATE connections SET status = 'error' WHERE id = ?", customer.connectionId);
    const answer = await sendBatch(customer, textsTo(2));
    expect(errorsOf(answer)).toEqual([1, 2].map(() => ["invalid_state", { status: "error" }]));
  });

  async function expectOneTripAPart(count: number): Promise<void> {
    const world = new World();
    const customer = await world.customer();
    const answer = await sendBatch(customer, textsTo(count), "k");
    expect(answer.body.counts.queued).toBe(count);
    // One more reads the replays of the parts.
    expect(costOf(answer)).toMatchObject({ trips: Math.ceil(count / MESSAGES_PER_PART) + 1 });
    expect(costOf(answer)["statements"]).toBeLessThan(1000);
    expect(await customer.outbox()).toEqual([]);
    await world.settle();
    const bodies = (await customer.outbox("?limit=100")).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(count);
  }

  it("A batch of 10 messages takes one round trip for each part and queues its threads", () => expectOneTripAPart(10));

  it("A batch of 100 messages takes one round trip for each part and queues its threads", { tags: "long" }, () =>
    expectOneTripAPart(100),
  );
});
