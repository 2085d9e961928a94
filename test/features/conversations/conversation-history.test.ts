import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const historyOf = (customer: Customer, id: string, query = "") =>
  customer.call("GET", `/conversations/${id}/messages${query}`);

const textsOf = ({ body }: Answer): string[] => body.messages.map((message: { body: string }) => message.body);

/** A conversation of `count` messages, one millisecond apart. */
async function talk(customer: Customer, count: number) {
  const phone = phoneEnding("1234");
  let id = "";
  for (let n = 1; n <= count; n++) {
    customer.world.advance(1);
    id = (await customer.send(phone, String(n))).body.conversation_id;
  }
  return { id, phone };
}

const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => String(from - n));

describe("Conversation history", () => {
  it("A conversation's history contains the messages of both sides, newest first", async () => {
    const customer = await new World().customer();
    const { id, phone } = await talk(customer, 1);
    const sentAt = new Date().toISOString();
    await customer.world.settle();
    customer.world.advance(1);
    const inbound = await customer.receive(phone, "two");
    const { body } = await historyOf(customer, id);
    const plain = {
      type: "text",
      reply_to: null,
      reply_to_provider_id: null,
      standby: false,
      reactions: [],
      author: null,
      mentions: [],
      metadata: null,
      referral: null,
      forwarded: false,
      send_at: null,
      edited_at: null,
      revoked_at: null,
    };
    const cost = { billable: false, category: "service", type: "free_customer_service" };
    const [now, someId] = [new Date().toISOString(), expect.stringMatching(/^msg_/)];
    expect(body).toEqual({
      success: true,
      messages: [
        {
          id: inbound,
          body: "two",
          from_contact: true,
          delivery: "delivered",
          created_at: now,
          content: "two",
          sent_by: "contact",
          cost: null,
          ...plain,
        },
        {
          id: someId,
          body: "1",
          from_contact: false,
          delivery: "read",
          created_at: sentAt,
          content: "1",
          sent_by: "workspace",
          cost,
          ...plain,
        },
      ],
      next_cursor: null,
    });
  });

  it("A conversation's history has pages without gaps or duplicates, even while messages arrive", async () => {
    const customer = await new World().customer();
    const { id, phone } = await talk(customer, 12);
    const first = await historyOf(customer, id, "?limit=5");
    expect(textsOf(first)).toEqual(numbers(12, 8));
    customer.world.advance(1);
    await customer.receive(phone, "meanwhile");
    const second = await historyOf(customer, id, `?limit=5&cursor=${first.body.next_cursor}`);
    expect(textsOf(second)).toEqual(numbers(7, 3));
    const third = await historyOf(customer, id, `?limit=5&cursor=${second.body.next_cursor}`);
    expect(textsOf(third)).toEqual(numbers(2, 1));
    expect(third.body.next_cursor).toBeNull();
  });

  it("A conversation's history returns 100 messages by default, in one round trip that reads few rows", async () => {
    const customer = await new World().customer();
    const { id } = await talk(customer, 1);
    await onShard(
      customer,
      `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, created_at)
       SELECT 'msg_zz' || n.value, workspace_id, contact_seq, connection_id, TRUE, address, n.value, 5, created_at
       FROM messages, json_each(?) n WHERE workspace_id = ?`,
      JSON.stringify(Array.from({ length: 150 }, (_, n) => n + 100)),
      customer.workspaceId,
    );
    for (const [query, count] of [
      ["", 100],
      ["?limit=100", 100],
      ["?limit=1", 1],
      ["?limit=20", 20],
    ] as const) {
      const answer = await historyOf(customer, id, query);
      expect(answer.body.messages).toHaveLength(count);
      expect(costOf(answer)["trips"]).toBe(1);
      expect(costOf(answer)["rows_read"], query).toBeLessThanOrEqual(3 * count + 5);
    }
  });

  it.each(["limit=0", "limit=101", "cursor=x", "cursor=W10", "offset=3", "limit=&cursor="])(
    "A conversation's history rejects ?%s",
    async (query) => {
      const customer = await new World().customer();
      const { id } = await talk(customer, 1);
      const { status, body } = await historyOf(customer, id, `?${query}`);
      expect([status, body.error.code]).toEqual([400, "validation_failed"]);
    },
  );
});

describe("Replies", () => {
  it("A reply is sent through its conversation's connection, not through the connection of the API key", async () => {
    const customer = await new World().customer();
    const { id, phone } = await talk(customer, 1);
    const other = (
      await customer.manage("POST", "/connections", {
        name: "Other",
        channel: "unofficial",
        provider: "sandbox",
        config: {},
      })
    ).body.connection;
    const key = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: other.id })).body.key;
    customer.world.advance(1);
    const reply = await customer.call("POST", `/conversations/${id}/messages`, { text: "reply" }, { token: key });
    expect(reply.status).toBe(202);
    expect(reply.body.conversation_id).toBe(id);
    expect(await customer.outbox()).toMatchObject([{ body: "reply", to: phone }, { body: "1" }]);
    const direct = await customer.call("POST", "/messages", { to: phone, text: "Hi" }, { token: key });
    expect(direct.body.contact_id).toBe(reply.body.contact_id);
    expect(direct.body.conversation_id).not.toBe(id);
  });

  it("A reply is rejected if its connection was deleted, but the history can still be read", async () => {
    const customer = await new World().customer();
    const { id } = await talk(customer, 1);
    const connection = { name: "Other", channel: "unofficial", provider: "sandbox", config: {} };
    const other = (await customer.manage("POST", "/connections", connection)).body.connection;
    const token = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: other.id })).body.key;
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await customer.manage("DELETE", `/connections/${customer.connectionId}`)).status).toBe(200);
    const reply = await customer.call("POST", `/conversations/${id}/messages`, { text: "Hi" }, { token });
    expect([reply.status, reply.body.error.code]).toEqual([409, "invalid_state"]);
    expect(reply.body.error.details).toEqual({ status: "deleted" });
    const history = await customer.call("GET", `/conversations/${id}/messages`, undefined, { token });
    expect(textsOf(history)).toEqual(["1"]);
  });

  it("A reply keeps its text exactly, and is rejected without text", async () => {
    const customer = await new World().customer();
    const { id } = await talk(customer, 1);
    const reply = (text: unknown) => customer.call("POST", `/conversations/${id}/messages`, { text });
    const text = ` ${"😀".repeat(4095)}`;
    expect((await customer.message((await reply(text)).body.message_id)).body).toBe(text);
    for (const bad of ["", " ", `${text}!`, "\0", "\udc00", null, 1]) expect((await reply(bad)).status).toBe(400);
  });
});

describe("Conversations of other workspaces", () => {
  it("No call finds a conversation of another workspace", async () => {
    const world = new World();
    const [owner, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const { id } = await talk(owner, 1);
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { status: "done" }],
      ["POST", "/read", undefined],
      ["GET", "/messages", undefined],
      ["POST", "/messages", { text: "Hi" }],
    ] as const) {
      const unknown = await stranger.call(method, `/conversations/cnv_01jx00000000000000000000zz${path}`, body);
      const foreign = await stranger.call(method, `/conversations/${id}${path}`, body);
      expect([foreign.status, foreign.body.error.code]).toEqual([404, "not_found"]);
      expect(foreign.body.error).toEqual(unknown.body.error);
    }
    const { conversation } = (await owner.call("GET", `/conversations/${id}`)).body;
    expect(conversation).toMatchObject({ status: "open", last_message: "1" });
    expect((await stranger.call("GET", "/conversations")).body.conversations).toEqual([]);
  });
});
