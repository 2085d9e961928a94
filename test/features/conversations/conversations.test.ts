import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const list = (customer: Customer, query = "") => customer.call("GET", `/conversations${query}`);
const listed = async (customer: Customer, query = ""): Promise<Answer["body"][]> =>
  (await list(customer, query)).body.conversations;
const idsOf = async (customer: Customer, query = "") => (await listed(customer, query)).map(({ id }) => id);
const get = async (customer: Customer, id: string) =>
  (await customer.call("GET", `/conversations/${id}`)).body.conversation;

/** Opens conversations one second apart. Returns their ids, latest first. */
async function open(customer: Customer, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) {
    customer.world.advance(1000);
    ids.unshift((await customer.send(phoneEnding("1234"), `No. ${n}`)).body.conversation_id);
  }
  return ids;
}

/** Reads all pages by following next_cursor. */
async function walk(customer: Customer, path: string, key: string, between = () => Promise.resolve()) {
  const seen: Answer["body"][] = [];
  const separator = path.includes("?") ? "&" : "?";
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: Answer = await customer.call("GET", path + (cursor && `${separator}cursor=${cursor}`));
    seen.push(...body[key]);
    cursor = body.next_cursor;
    await between();
  }
  return seen;
}

describe("Conversation list", () => {
  it("The list of conversations is empty at first", async () => {
    const customer = await new World().customer();
    expect((await list(customer)).body).toEqual({ success: true, conversations: [], next_cursor: null });
  });

  it("The list of conversations shows the person and the last message of each conversation, latest first", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const [, first] = await open(customer, 2);
    customer.world.advance(1000);
    const { conversation_id, contact_id } = (await customer.send(to, "Newest")).body;
    const at = new Date().toISOString();
    const conversations = await listed(customer);
    expect(conversations[0]).toEqual({
      id: conversation_id,
      contact: { id: contact_id, name: null, phone: to },
      connection_id: customer.connectionId,
      channel: "unofficial",
      last_message: "Newest",
      last_message_at: at,
      unread_count: 0,
      status: "open",
      assignee: null,
      snoozed_until: null,
      labels: [],
    });
    expect(conversations.at(-1).id).toBe(first);
  });

  it("The list of conversations can be filtered by status and unread", async () => {
    const customer = await new World().customer();
    const [a = "", b = "", c = ""] = await open(customer, 3);
    const { phone } = (await get(customer, a)).contact;
    customer.world.advance(1000);
    await customer.receive(phone, "Hi");
    await customer.call("PATCH", `/conversations/${b}`, { status: "done" });
    expect(await idsOf(customer, "?status=done")).toEqual([b]);
    expect(await idsOf(customer, "?status=open")).toEqual([a, c]);
    expect(await idsOf(customer, "?unread=true")).toEqual([a]);
    expect(await idsOf(customer, "?unread=true&status=done")).toEqual([]);
    expect(await idsOf(customer, "?unread=false")).toEqual([a, b, c]);
    expect(await idsOf(customer, "?limit=2")).toEqual([a, b]);
  });

  it("The list of conversations has pages of 20 by default, without gaps or duplicates", { tags: "long" }, async () => {
    const customer = await new World().customer();
    const ids = await open(customer, 23);
    await customer.call("PATCH", `/conversations/${ids[3]}`, { status: "done" });
    const first = (await list(customer)).body;
    expect(first.conversations).toHaveLength(20);
    expect(first.next_cursor).toEqual(expect.any(String));
    for (const limit of [7, 23]) {
      const seen = await walk(customer, `/conversations?limit=${limit}`, "conversations");
      expect(seen.map(({ id }) => id)).toEqual(ids);
    }
    const open20 = await walk(customer, "/conversations?status=open&limit=5", "conversations");
    expect(open20.map(({ id }) => id)).toEqual(ids.filter((id) => id !== ids[3]));
  });

  it("If conversations move to the top of the list between two pages, the next page continues at the same position", async () => {
    const customer = await new World().customer();
    const ids = await open(customer, 9);
    const last = (await get(customer, ids.at(-1) ?? "")).contact.phone;
    let moved = false;
    const seen = await walk(customer, "/conversations?limit=3", "conversations", async () => {
      if (moved) return;
      moved = true;
      customer.world.advance(1000);
      await customer.receive(last, "Me first");
      await open(customer, 1);
    });
    expect(seen.map(({ id }) => id)).toEqual(ids.slice(0, -1));
  });

  it("The list of conversations reads at most three rows per returned row, in one round trip", async () => {
    const customer = await new World().customer();
    const ids = await open(customer, 30);
    for (const id of ids.slice(10, 20)) await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    await onShard(customer, "UPDATE conversations SET unread_count = 1 WHERE workspace_id = ?", customer.workspaceId);
    for (const query of ["?limit=1", "?limit=20", "?limit=20&status=open", "?limit=10&status=done", "?unread=true"]) {
      const answer = await list(customer, query);
      const cost = costOf(answer);
      expect(cost["trips"]).toBe(1);
      expect(cost["rows_read"], query).toBeLessThanOrEqual(3 * answer.body.conversations.length + 5);
    }
    const one = costOf(await customer.call("GET", `/conversations/${ids[0]}`));
    expect(one["trips"]).toBe(1);
    expect(one["rows_read"]).toBeLessThanOrEqual(8);
  });

  it.each([
    ["limit=0", "query.limit"],
    ["limit=101", "query.limit"],
    ["limit=", "query.limit"],
    ["limit=1.5", "query.limit"],
    ["status=closed", "query.status"],
    ["status=", "query.status"],
    ["unread=yes", "query.unread"],
    ["unread=", "query.unread"],
    ["cursor=nonsense", "query.cursor"],
    ["cursor=", "query.cursor"],
    ["cursor=WyJhIl0", "query.cursor"],
    ["stauts=open", "query.stauts"],
    ["status=open&status=done", "query.status"],
  ])("The list of conversations rejects ?%s", async (query, path) => {
    const customer = await new World().customer();
    const { status, body } = await list(customer, `?${query}`);
    expect([status, body.error.code]).toEqual([400, "validation_failed"]);
    expect(body.error.details.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

describe("Conversations", () => {
  it("A conversation can be marked as done and reopened, and a repeated change has no effect", async () => {
    const customer = await new World().customer();
    const [id = ""] = await open(customer, 1);
    for (const status of ["done", "done", "open", "open"]) {
      const answer = await customer.call("PATCH", `/conversations/${id}`, { status });
      expect([answer.status, answer.body.conversation.status]).toEqual([200, status]);
      expect((await get(customer, id)).status).toBe(status);
    }
  });

  it("A done conversation stays done when we write and reopens when the person writes", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.receive(from, "Hi");
    const [{ id }] = await listed(customer);
    await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    customer.world.advance(1000);
    await customer.send(from, "Anything else?");
    await customer.world.settle();
    expect(await get(customer, id)).toMatchObject({
      status: "done",
      unread_count: 1,
      last_message: "Anything else?",
    });
    customer.world.advance(1000);
    await customer.receive(from, "Yes");
    expect(await get(customer, id)).toMatchObject({ status: "open", unread_count: 2, last_message: "Yes" });
  });

  it("Marking a conversation as read also marks its inbound messages as read", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    const first = await customer.receive(from, "one");
    customer.world.advance(1);
    await customer.receive(from, "two");
    const [{ id, unread_count }] = await listed(customer);
    expect(unread_count).toBe(2);
    for (let twice = 0; twice < 2; twice++) {
      const answer = await customer.call("POST", `/conversations/${id}/read`);
      expect([answer.status, answer.body.conversation.unread_count]).toEqual([200, 0]);
    }
    customer.world.advance(1);
    await customer.receive(from, "three");
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    expect(messages.map(({ delivery }: Answer["body"]) => delivery)).toEqual(["delivered", "read", "read"]);
    expect((await customer.message(first)).delivery).toBe("read");
    expect((await get(customer, id)).unread_count).toBe(1);
  });

  it("A conversation can still be marked as read after an old message arrives late", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text: "late" });
    const [late] = customer.world.queues.messages.splice(0);
    customer.world.advance(1000);
    await customer.receive(from, "in time");
    const [{ id }] = await listed(customer);
    await customer.call("POST", `/conversations/${id}/read`);
    await customer.world.env.EVENTS_QUEUE.sendBatch([{ body: late?.body }]);
    await customer.world.settle();
    expect((await get(customer, id)).unread_count).toBe(1);
    await customer.call("POST", `/conversations/${id}/read`);
    expect((await get(customer, id)).unread_count).toBe(0);
  });

  it("Marking a conversation as read writes nothing if nothing is unread", async () => {
    const customer = await new World().customer();
    const [id = ""] = await open(customer, 1);
    expect(costOf(await customer.call("POST", `/conversations/${id}/read`))).toMatchObject({ rows_written: 0 });
  });

  it("A change to a conversation is rejected with an unknown status, unknown fields or no body", async () => {
    const customer = await new World().customer();
    const [id = ""] = await open(customer, 1);
    for (const body of [{}, { status: "closed" }, { status: null }, { status: "done", unread_count: 0 }]) {
      const answer = await customer.call("PATCH", `/conversations/${id}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, "validation_failed"]);
    }
    const none = await customer.call("PATCH", `/conversations/${id}`);
    expect([none.status, none.body.error.code]).toEqual([400, "invalid_json"]);
  });
});
