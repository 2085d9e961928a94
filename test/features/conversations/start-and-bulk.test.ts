import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { readLog } from "../../support/read-log.ts";
import { costOf } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const once = { headers: { "Idempotency-Key": "k" } };
const contactWith = async (customer: Customer, fields: object): Promise<string> =>
  (await customer.call("POST", "/contacts", fields)).body.contact.id;
const startWith = (customer: Customer, contact_id: string, ask: object = {}) =>
  customer.call("POST", "/conversations", { contact_id }, ask);
const opened = async (customer: Customer) =>
  (await readLog(customer)).filter(({ type }) => type === "conversation.opened");

describe("New conversations", () => {
  it("Starting a conversation creates an empty conversation that accepts replies, and a second start returns the same conversation", async () => {
    const customer = await new World().customer();
    const contactId = await contactWith(customer, { phone: phoneEnding("1234"), name: "Ada" });
    const first = await startWith(customer, contactId, once);
    expect(first.status).toBe(201);
    const { conversation } = first.body;
    expect(conversation).toMatchObject({
      contact: { id: contactId, name: "Ada" },
      last_message: null,
      last_message_at: new Date().toISOString(),
      status: "open",
      unread_count: 0,
    });
    expect((await startWith(customer, contactId, once)).status).toBe(201);
    const second = await startWith(customer, contactId);
    expect([second.status, second.body.created, second.body.conversation.id]).toEqual([200, false, conversation.id]);
    expect((await customer.call("GET", "/conversations")).body.conversations).toHaveLength(1);
    expect((await customer.call("GET", `/conversations/${conversation.id}/messages`)).body.messages).toEqual([]);
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello" });
    expect(reply.body.conversation_id).toBe(conversation.id);
    expect(await opened(customer)).toHaveLength(1);
  });

  it("Concurrent requests to start a conversation create one conversation", async () => {
    const customer = await new World().customer();
    const contactId = await contactWith(customer, { phone: phoneEnding("1234") });
    const answers = await Promise.all(Array.from({ length: 5 }, () => startWith(customer, contactId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.conversation.id)).size).toBe(1);
    expect(await opened(customer)).toHaveLength(1);
  });

  it("Starting a conversation is rejected if the contact has no address on the connection or belongs to another workspace", async () => {
    const customer = await new World().customer();
    const unreachable = await startWith(customer, await contactWith(customer, { email: "ada@example.com" }));
    expect([unreachable.status, unreachable.body.error.code]).toEqual([422, "unreachable"]);
    const stranger = await customer.world.customer();
    const theirs = await contactWith(stranger, { phone: phoneEnding("1234") });
    for (const id of [theirs, "ct_nobody"]) {
      const { status, body } = await startWith(customer, id);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
    expect(await opened(customer)).toEqual([]);
  });
});

describe("Bulk changes", () => {
  async function withConversations(count: number) {
    const customer = await new World().customer();
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await customer.send(phoneEnding("1234"))).body.conversation_id);
    const before = (await readLog(customer)).length;
    const since = async () => (await readLog(customer)).slice(before).map(({ type, id }) => `${type} ${id}`);
    return { customer, ids, since };
  }

  it("A bulk change of conversations changes each conversation once, in one round trip, and returns each result", async () => {
    const { customer, ids, since } = await withConversations(3);
    const stranger = await customer.world.customer();
    const theirs = (await stranger.send(phoneEnding("1234"))).body.conversation_id;
    const [a = "", b = "", c = ""] = ids;
    await customer.call("PATCH", `/conversations/${b}`, { status: "done", labels: ["VIP"] });
    const asked = [a, b, theirs, a, c];
    const answer = await customer.call(
      "POST",
      "/conversations/bulk",
      { ids: asked, status: "done", labels: ["VIP"] },
      once,
    );
    expect(costOf(answer)["trips"]).toBe(1);
    const { results, counts } = answer.body;
    expect(results.map(({ status }: { status: string }) => status)).toEqual([
      "updated",
      "unchanged",
      "failed",
      "unchanged",
      "updated",
    ]);
    expect(results[2]).toMatchObject({ index: 2, conversation_id: theirs, error: { code: "not_found" } });
    expect(counts).toEqual({ updated: 2, unchanged: 2, failed: 1 });
    const again = await customer.call(
      "POST",
      "/conversations/bulk",
      { ids: asked, status: "done", labels: ["VIP"] },
      once,
    );
    expect(again.body).toEqual(answer.body);
    const events = (await since()).slice(2);
    const kinds = ["conversation.done", "conversation.updated"];
    expect(new Set(events)).toEqual(new Set([a, c].flatMap((id) => kinds.map((kind) => `${kind} ${id}`))));
    expect(events).toHaveLength(4);
    expect((await stranger.call("GET", `/conversations/${theirs}`)).body.conversation.status).toBe("open");
  });

  it("A bulk change assigns up to 100 conversations, and rejects longer or empty lists and unknown assignees", async () => {
    const { customer, ids } = await withConversations(4);
    const { userId } = await customer.member("agent");
    const many = Array.from({ length: 100 }, (_, n) => ids[n % 4]);
    const assigned = await customer.call("POST", "/conversations/bulk", { ids: many, assignee_id: userId });
    expect(assigned.body.counts).toEqual({ updated: 4, unchanged: 96, failed: 0 });
    expect((await customer.call("GET", `/conversations?assignee=${userId}`)).body.conversations).toHaveLength(4);
    const refused = [
      { ids: [...many, ids[0]], status: "done" },
      { ids: [], status: "done" },
      { ids },
      { ids, snoozed_until: null },
    ];
    for (const body of refused) expect((await customer.call("POST", "/conversations/bulk", body)).status).toBe(400);
    const nobody = await customer.call("POST", "/conversations/bulk", { ids, assignee_id: "usr_nobody" });
    expect([nobody.status, nobody.body.error.code]).toEqual([404, "not_found"]);
  });
});

describe("Members", () => {
  it("API keys can list a workspace's members by name and role, without emails, in one round trip", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    await (await customer.world.customer()).member("admin");
    const answer = await customer.call("GET", "/members");
    expect(answer.body.members).toEqual([{ id: owner.userId, name: expect.any(String), role: "owner" }]);
    expect(JSON.stringify(answer.body)).not.toContain("@");
    expect(costOf(answer)["trips"]).toBe(1);
  });
});
