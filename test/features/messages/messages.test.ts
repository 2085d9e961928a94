import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { archive, costOf, onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Returns the faults in a 400 response. */
const faultsOf = async (customer: Customer, body: unknown) => {
  const { status, body: answer } = await customer.call("POST", "/messages", body);
  expect([status, answer.error.code]).toEqual([400, "validation_failed"]);
  return answer.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

describe("Sends", () => {
  it("A message is accepted, sent and finally read", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const acceptedAt = new Date().toISOString();
    const accepted = await customer.send(to, "Your table is ready");
    expect(accepted.status).toBe(202);
    const { message_id, conversation_id, contact_id } = accepted.body;
    expect(accepted.body).toEqual({ success: true, message_id, conversation_id, contact_id, status: "queued" });
    expect([message_id, conversation_id, contact_id]).toEqual([
      expect.stringMatching(/^msg_[0-9a-hjkmnp-tv-z]{26}$/),
      expect.stringMatching(/^cnv_[0-9a-hjkmnp-tv-z]{26}$/),
      expect.stringMatching(/^ct_[0-9a-hjkmnp-tv-z]{26}$/),
    ]);
    expect((await customer.message(message_id)).delivery).toBe("sent");
    await world.settle();
    const message = await customer.message(message_id);
    expect(message).toEqual({
      type: "text",
      content: "Your table is ready",
      reply_to: null,
      reply_to_provider_id: null,
      sent_by: "workspace",
      standby: false,
      reactions: [],
      forwarded: false,
      referral: null,
      metadata: null,
      send_at: null,
      id: message_id,
      conversation_id,
      contact_id,
      campaign_id: null,
      template_id: null,
      to,
      body: "Your table is ready",
      from_contact: false,
      delivery: "read",
      provider_message_id: expect.any(String),
      error: null,
      created_at: acceptedAt,
      sent_at: acceptedAt,
      delivered_at: expect.any(String),
      read_at: expect.any(String),
      failed_at: null,
      cost: { billable: false, category: "service", type: "free_customer_service" },
      edited_at: null,
      revoked_at: null,
      versions: [],
    });
    expect(Date.parse(message.read_at) - Date.parse(acceptedAt)).toBeLessThanOrEqual(5000);
    expect(await customer.outbox()).toEqual([
      {
        to,
        type: "text",
        body: "Your table is ready",
        content: null,
        reply_to: null,
        attempt: 1,
        message_id,
        at: acceptedAt,
      },
    ]);
  });

  it("A message to a number in a common spelling is sent to the number's E.164 form", async () => {
    const customer = await new World().customer();
    const accepted = await customer.send("+1 (415) 555.01-00");
    expect((await customer.message(accepted.body.message_id)).to).toBe("+14155550100");
  });

  it("The first message to a number creates one contact and one conversation", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const first = (await customer.send(to)).body;
    const second = (await customer.send(to)).body;
    expect(second.message_id).not.toBe(first.message_id);
    expect([second.contact_id, second.conversation_id]).toEqual([first.contact_id, first.conversation_id]);
    const { contact } = (await customer.call("GET", `/contacts/${first.contact_id}`)).body;
    expect(contact).toMatchObject({ phone: to, source: "api", name: null, status: "new", lifecycle_stage: "lead" });
  });

  async function expectOneConversation(count: number): Promise<void> {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => customer.send(to, `No. ${n}`)));
    await world.settle({ copies: 2 });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.contact_id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.conversation_id)).size).toBe(1);
    const outbox = await customer.outbox("?limit=100");
    expect(outbox).toHaveLength(count);
    expect(new Set(outbox.map(({ message_id }) => message_id))).toEqual(
      new Set(answers.map(({ body }) => body.message_id)),
    );
    expect(
      await onShard(customer, "SELECT id FROM contacts WHERE workspace_id = ?", customer.workspaceId),
    ).toHaveLength(1);
  }

  it("Ten concurrent first messages create one contact and one conversation, and each message is sent once", () =>
    expectOneConversation(10));

  it(
    "Fifty concurrent first messages create one contact and one conversation, and each message is sent once",
    { tags: "long" },
    () => expectOneConversation(50),
  );

  it("A message restores an archived contact", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const { contact_id } = (await customer.send(to)).body;
    await archive(customer, contact_id);
    expect((await customer.call("GET", `/contacts/${contact_id}`)).body.contact.is_archived).toBe(true);
    expect((await customer.send(to)).body.contact_id).toBe(contact_id);
    expect((await customer.call("GET", `/contacts/${contact_id}`)).body.contact.is_archived).toBe(false);
  });

  it("Workspaces on both shards send messages", async () => {
    const world = new World();
    const to = phoneEnding("1234");
    const customers = [await world.customer(), await world.customer()];
    const contacts = new Set<string>();
    for (const customer of customers) {
      const { message_id, contact_id } = (await customer.send(to)).body;
      contacts.add(contact_id);
      await world.settle();
      expect((await customer.message(message_id)).delivery).toBe("read");
      expect(await customer.outbox()).toHaveLength(1);
    }
    expect(contacts.size).toBe(2);
  });
});

describe("Texts", () => {
  it.each([
    ["4,096 emoji", "😀".repeat(4096)],
    ["4,096 letters", "a".repeat(4096)],
    ["text with white space around it", "  two\n\tlines \n"],
    ["markup, quotes and right-to-left text", `<b>"'%&\\</b> שלום \u200f\u2028`],
  ])("A message keeps its text exactly: %s", async (_, text) => {
    const customer = await new World().customer();
    const { message_id, conversation_id } = (await customer.send(phoneEnding("1234"), text)).body;
    expect((await customer.message(message_id)).body).toBe(text);
    expect((await customer.outbox())[0].body).toBe(text);
    const { conversation } = (await customer.call("GET", `/conversations/${conversation_id}`)).body;
    expect(conversation.last_message).toBe(text);
  });

  it("A message is rejected if its text is empty, blank or 4,097 characters long, or contains NUL or lone surrogates", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    expect(await faultsOf(customer, { to, text: "" })).toEqual(["text too_small"]);
    expect(await faultsOf(customer, { to, text: " \n\t\u00a0" })).toEqual(["text too_small"]);
    expect(await faultsOf(customer, { to, text: "😀".repeat(4097) })).toEqual(["text too_big"]);
    expect(await faultsOf(customer, { to, text: "a\0b" })).toEqual(["text invalid_characters"]);
    expect(await faultsOf(customer, { to, text: "a\ud83d" })).toEqual(["text invalid_characters"]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A request to send a message with an invalid text returns all errors, including those for unknown fields", async () => {
    const customer = await new World().customer();
    expect((await faultsOf(customer, { To: "+14155550100", text: 7 })).toSorted()).toEqual([
      "To unknown_field",
      "text invalid_type",
      "to required",
    ]);
    expect(await faultsOf(customer, { to: null, text: "Hi" })).toEqual(["to invalid_type"]);
  });

  it.each([
    ["without the plus", "14155550100"],
    ["with an unknown calling code", "+9991234567"],
    ["that is too short", "+1415555"],
    ["that is too long", "+14155550100123456"],
    ["that is a word", "+one"],
    ["that is empty", ""],
  ])("A message to a number %s is rejected", async (_, to) => {
    const customer = await new World().customer();
    expect(await faultsOf(customer, { to, text: "Hi" })).toEqual(["to invalid_phone"]);
  });
});

describe("Inactive connections", () => {
  it("A message is rejected if its connection is not active", async () => {
    const customer = await new World().customer();
    await onShard(customer, "UPDATE connections SET status = 'disconnected' WHERE id = ?", customer.connectionId);
    const answer = await customer.send(phoneEnding("1234"));
    expect([answer.status, answer.body.error.code]).toEqual([409, "invalid_state"]);
    expect(answer.body.error.details).toEqual({ status: "disconnected" });
    expect(await onShard(customer, "SELECT id FROM contacts WHERE workspace_id = ?", customer.workspaceId)).toEqual([]);
  });
});

describe("Reads", () => {
  it("A message from another workspace is not found", async () => {
    const world = new World();
    // Two of the three workspaces share a shard, so separate databases are not the only protection.
    const customers = [await world.customer(), await world.customer(), await world.customer()];
    const ids = [];
    for (const customer of customers) ids.push((await customer.send(phoneEnding("1234"))).body.message_id);
    for (const customer of customers) {
      const unknown = await customer.call("GET", "/messages/msg_01jx00000000000000000000zz");
      expect([unknown.status, unknown.body.error.code]).toEqual([404, "not_found"]);
      for (const id of ids) {
        const answer = await customer.call("GET", `/messages/${id}`);
        if (answer.status !== 200) expect(answer.body.error).toEqual(unknown.body.error);
      }
      const visible = await Promise.all(ids.map((id) => customer.call("GET", `/messages/${id}`)));
      expect(visible.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it("A message id with a wrong prefix is not found", async () => {
    const customer = await new World().customer();
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect((await customer.call("GET", `/messages/${message_id.replace("msg_", "ct_")}`)).status).toBe(404);
    expect((await customer.call("GET", "/messages/%00")).status).toBe(404);
  });
});

describe("Costs", () => {
  it("Sending a message costs one round trip, reading it costs one, and both read few rows", async () => {
    const customer = await new World().customer();
    const sent = await customer.send(phoneEnding("1234"), "Hi", { headers: { "Idempotency-Key": "k" } });
    expect(costOf(sent)).toMatchObject({ trips: 1 });
    expect(costOf(sent, "do")).toEqual({ calls: 1 });
    expect(costOf(sent, "queue")).toEqual({ sends: 0 });
    const read = await customer.call("GET", `/messages/${sent.body.message_id}`);
    expect(costOf(read)).toMatchObject({ trips: 1, rows_written: 0 });
    expect(costOf(read)["rows_read"]).toBeLessThanOrEqual(8);
  });
});
