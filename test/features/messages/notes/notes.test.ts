import { beforeEach, describe, expect, it } from "vitest";
import { addNote } from "../../../../src/features/messages/notes/notes.service.ts";
import { stopClock } from "../../../support/clock.ts";
import { contextOf } from "../../../support/context.ts";
import { deliver, messageFrom, strangers } from "../../../support/provider-events.ts";
import { logged } from "../../../support/read-log.ts";
import { costOf } from "../../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const world = new World();

async function conversationOf(customer: Customer): Promise<string> {
  const phone = phoneEnding("1234");
  await customer.receive(phone, "Hello");
  customer.world.advance(1000);
  const { conversations } = (await customer.call("GET", "/conversations?limit=1")).body;
  return conversations[0].id;
}

const note = (customer: Customer, id: string, body: string, headers = {}): Promise<Answer> =>
  customer.call("POST", `/conversations/${id}/notes`, { body }, { headers });

async function walk(customer: Customer, id: string, query = "&include=notes"): Promise<string[]> {
  const bodies: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: Answer["body"] = (await customer.call("GET", `/conversations/${id}/messages?limit=2${query}${from}`))
      .body;
    expect(page.messages.length).toBeLessThanOrEqual(2);
    bodies.push(...page.messages.map(({ body }: { body: string }) => body));
    cursor = page.next_cursor;
  }
  return bodies;
}

describe("Notes", () => {
  it("A note is listed only on request and does not change its conversation", async () => {
    const customer = await world.customer();
    const id = await conversationOf(customer);
    const before = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    const { status, body } = await note(customer, id, " Called back.\n");
    expect(status).toBe(201);
    expect(body.message).toMatchObject({
      id: expect.stringMatching(/^note_[0-9a-z]{26}$/),
      type: "note",
      body: " Called back.\n",
      content: " Called back.\n",
      delivery: null,
      from_contact: false,
      author: { type: "api_key", id: customer.keyId, name: null },
      mentions: [],
    });
    expect((await customer.call("GET", `/conversations/${id}`)).body.conversation).toEqual(before);
    const shown = await customer.call("GET", `/conversations/${id}/messages?include=notes`);
    expect(shown.body.messages[0]).toEqual(body.message);
    expect(costOf(shown).trips).toBe(1);
    expect(await walk(customer, id, "")).toEqual(["Hello"]);
    await world.settle();
    expect(await customer.outbox()).toEqual([]);
    expect((await customer.call("GET", `/messages/${body.message.id}`)).status).toBe(404);
  });

  it("Pages of a conversation list notes and messages by time, without gaps or duplicates", async () => {
    const customer = await world.customer();
    const id = await conversationOf(customer);
    for (const index of [1, 2, 3]) {
      world.advance(1000);
      await note(customer, id, `note ${index}`);
      world.advance(1000);
      await customer.call("POST", `/conversations/${id}/messages`, { text: `reply ${index}` });
    }
    const all = ["reply 3", "note 3", "reply 2", "note 2", "reply 1", "note 1", "Hello"];
    expect(await walk(customer, id)).toEqual(all);
    expect(await walk(customer, id, "")).toEqual(["reply 3", "reply 2", "reply 1", "Hello"]);
  });

  it("A note mentions members by name, and its event does not contain the text", async () => {
    const customer = await world.customer();
    const [ada, bo] = [await customer.member("agent", "Ada Okafor"), await customer.member("agent", "Bo")];
    const id = await conversationOf(customer);
    const ctx = await contextOf(customer);
    const { events } = await logged(customer, async () => {
      const actor = { type: "member", userId: bo.userId, role: "agent", connectionId: null } as const;
      await addNote({ ...ctx, actor }, id, "@ada okafor, please. @Nobody @Bo");
    });
    const mentions = [
      { id: ada.userId, name: "Ada Okafor" },
      { id: bo.userId, name: "Bo" },
    ];
    const [shown] = (await customer.call("GET", `/conversations/${id}/messages?include=notes`)).body.messages;
    expect(shown).toMatchObject({ author: { type: "member", id: bo.userId, name: "Bo" }, mentions });
    expect(events).toEqual([
      ["note.created", shown.id, { conversation_id: [null, id], mentions: [null, [ada.userId, bo.userId]] }],
    ]);
    const { events: told } = (await customer.call("GET", "/events?types=note.*")).body;
    expect(told[0].data.note).toMatchObject({ id: shown.id, conversation_id: id, author: shown.author, mentions });
    expect(JSON.stringify(told)).not.toContain("please");
  });

  it("If requests to add a note have the same Idempotency-Key, one note is added, even if they are concurrent", async () => {
    const customer = await world.customer();
    const id = await conversationOf(customer);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => note(customer, id, "once", headers)));
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect(await walk(customer, id)).toEqual(["once", "Hello"]);
  });

  it("A note moves to the kept conversation when its conversation is merged", async () => {
    const customer = await world.customer();
    const { phone, userId, earlier, later } = await strangers(customer);
    await note(customer, earlier.id, "of the kept");
    world.advance(1000);
    await note(customer, later.id, "of the other");
    await deliver(customer, [messageFrom({ phone, userId }, "both")], 2);
    expect((await walk(customer, earlier.id)).filter((body) => body.startsWith("of"))).toEqual([
      "of the other",
      "of the kept",
    ]);
    const gone = await note(customer, later.id, "late");
    expect([gone.status, gone.body.error.details]).toEqual([404, { merged_into: earlier.id }]);
  });

  it("Notes are rejected in another workspace's conversation, with an empty or too long text, and if a field or `include` is invalid", async () => {
    const [customer, stranger] = [await world.customer(), await world.customer()];
    const id = await conversationOf(customer);
    expect((await note(stranger, id, "Mine")).status).toBe(404);
    for (const body of ["", " ", "x".repeat(4097)]) expect((await note(customer, id, body)).status).toBe(400);
    expect((await customer.call("POST", `/conversations/${id}/notes`, { text: "Hi" })).status).toBe(400);
    expect((await customer.call("GET", `/conversations/${id}/messages?include=all`)).status).toBe(400);
    expect((await stranger.call("GET", `/conversations/${id}/messages?include=notes`)).status).toBe(404);
  });
});
