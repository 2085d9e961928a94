import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Sends to a special number and completes all work. Each queue message is delivered twice. */
async function play(ending: string, text = "Hello") {
  const world = new World();
  const customer = await world.customer();
  const to = phoneEnding(ending);
  const { message_id, conversation_id, contact_id } = (await customer.send(to, text)).body;
  const atOnce = await customer.message(message_id);
  await world.settle({ copies: 2 });
  const message = await customer.message(message_id);
  const attempts = (await customer.outbox()).map(({ attempt }) => attempt);
  return { customer, to, atOnce, message, attempts, conversation_id, contact_id };
}

const historyOf = async (customer: Customer, id: string): Promise<Answer["body"][]> =>
  (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;

describe("Sandbox numbers", () => {
  it("A sandbox number without a special ending receives and reads messages", async () => {
    const { atOnce, message, attempts } = await play("1234");
    expect([atOnce.delivery, message.delivery, attempts]).toEqual(["sent", "read", [1]]);
  });

  it("A message to a sandbox number ending in 0001 is rejected permanently", async () => {
    const { message, attempts } = await play("0001");
    expect(message).toMatchObject({
      delivery: "failed",
      error: { code: "invalid_recipient" },
      sent_at: null,
      failed_at: expect.any(String),
    });
    expect(attempts).toEqual([]);
  });

  it("A sandbox number ending in 0002 rejects a message twice and accepts it at the third attempt", async () => {
    const { atOnce, message, attempts } = await play("0002");
    expect([atOnce.delivery, message.delivery, message.error, attempts]).toEqual(["queued", "read", null, [3]]);
  });

  it("The response of a sandbox number ending in 0003 is lost, and a status settles the message", async () => {
    const { atOnce, message, attempts } = await play("0003");
    expect([atOnce.delivery, message.delivery, attempts]).toEqual(["unknown", "read", [1]]);
    expect(message.provider_message_id).toEqual(expect.any(String));
  });

  it("A message never reaches a sandbox number ending in 0004", async () => {
    const { message, attempts } = await play("0004");
    expect(message).toMatchObject({ delivery: "sent", delivered_at: null });
    expect(attempts).toEqual([1]);
  });

  it("A sandbox number ending in 0005 replies STOP once", async () => {
    const { customer, to, message, contact_id, conversation_id } = await play("0005");
    expect(message.delivery).toBe("read");
    expect((await customer.call("GET", `/contacts/${contact_id}`)).body.contact.is_unsubscribed).toBe(true);
    expect((await historyOf(customer, conversation_id)).map(({ body }) => body)).toEqual(["STOP", "Hello"]);
    expect((await customer.send(to)).body.error.code).toBe("unsubscribed");
  });

  it("A sandbox number ending in 0006 replies once with the unchanged text", async () => {
    const text = ` ${"😀".repeat(4094)}\n`;
    const { customer, message, conversation_id } = await play("0006", text);
    expect(message.delivery).toBe("read");
    const history = await historyOf(customer, conversation_id);
    expect(history.map(({ body, from_contact }) => [body === text, from_contact])).toEqual([
      [true, true],
      [true, false],
    ]);
    const { conversation } = (await customer.call("GET", `/conversations/${conversation_id}`)).body;
    expect(conversation.unread_count).toBe(1);
  });

  it("A message to a sandbox number ending in 0007 is rate limited once and then delivered", async () => {
    const { atOnce, message, attempts } = await play("0007");
    expect([atOnce.delivery, message.delivery, message.error, attempts]).toEqual(["queued", "read", null, [2]]);
  });
});

describe("Outbox", () => {
  it("The sandbox outbox lists delivered messages, latest first, in pages and filtered by number", async () => {
    const world = new World();
    const customer = await world.customer();
    const numbers = [phoneEnding("1234"), phoneEnding("1234")];
    for (let n = 0; n < 7; n++) {
      world.advance(1);
      await customer.send(numbers[n % 2] ?? "", String(n));
    }
    const path = `/connections/${customer.connectionId}/outbox`;
    const bodies = ({ body }: Answer) => body.deliveries.map((delivery: { body: string }) => delivery.body);
    const first = await customer.manage("GET", `${path}?limit=4`);
    expect(bodies(first)).toEqual(["6", "5", "4", "3"]);
    const second = await customer.manage("GET", `${path}?limit=4&cursor=${first.body.next_cursor}`);
    expect([bodies(second), second.body.next_cursor]).toEqual([["2", "1", "0"], null]);
    const one = await customer.manage("GET", `${path}?to=${encodeURIComponent(numbers[1] ?? "")}&limit=2`);
    expect(bodies(one)).toEqual(["5", "3"]);
    const rest = await customer.manage(
      "GET",
      `${path}?to=${encodeURIComponent(numbers[1] ?? "")}&limit=2&cursor=${one.body.next_cursor}`,
    );
    expect([bodies(rest), rest.body.next_cursor]).toEqual([["1"], null]);
    expect(bodies(await customer.manage("GET", `${path}?to=%2B14155559999`))).toEqual([]);
  });

  it("The sandbox outbox can be filtered by a number in any usual spelling", async () => {
    const customer = await new World().customer();
    await customer.send("+14155550100");
    expect(await customer.outbox(`?to=${encodeURIComponent("1 (415) 555-0100")}`)).toHaveLength(1);
  });

  it("The sandbox outbox rejects invalid and unknown parameters", async () => {
    const customer = await new World().customer();
    const path = `/connections/${customer.connectionId}/outbox`;
    for (const query of ["limit=0", "limit=101", "cursor=x", "to=", "phone=1"]) {
      const { status, body } = await customer.manage("GET", `${path}?${query}`);
      expect([status, body.error.code], query).toEqual([400, "validation_failed"]);
    }
  });
});

describe("Simulated inbound messages", () => {
  const simulate = (customer: Customer, body: unknown, connectionId = customer.connectionId) =>
    customer.manage("POST", `/connections/${connectionId}/simulate`, body);

  it("Simulating an inbound message returns the id of the stored message", async () => {
    const customer = await new World().customer();
    const answer = await simulate(customer, { from: "14155550100", text: " Hi ", name: "Ann" });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ success: true, message_id: expect.stringMatching(/^msg_/) });
    await customer.world.settle();
    expect(await customer.message(answer.body.message_id)).toMatchObject({ body: " Hi ", to: "+14155550100" });
  });

  it("Simulating an inbound message rejects missing, empty, unknown and too long fields", async () => {
    const customer = await new World().customer();
    for (const [body, paths] of [
      [{}, ["from", "text"]],
      [{ from: "", text: " " }, ["from", "text"]],
      [{ from: "a".repeat(101), text: "😀".repeat(4097), name: "n".repeat(201) }, ["from", "name", "text"]],
      [{ from: "a", text: "b", at: 1 }, ["at"]],
      [{ from: "+155501000009", text: "b" }, ["from"]],
    ] as const) {
      const answer = await simulate(customer, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, "validation_failed"]);
      expect(answer.body.error.details.map(({ path }: Answer["body"]) => path).toSorted()).toEqual(paths);
    }
    expect(customer.world.queues.messages).toEqual([]);
  });

  it("Simulated messages and the outbox exist only on sandbox connections", async () => {
    const customer = await new World().customer();
    const { connection } = (
      await customer.manage("POST", "/connections", {
        name: "Phone",
        channel: "unofficial",
        provider: "waha",
        config: { base_url: "https://waha.test", session: "s", api_key: "secret-key" },
      })
    ).body;
    const played = await simulate(customer, { from: "+14155550100", text: "Hi" }, connection.id);
    expect([played.status, played.body.error.code]).toEqual([409, "invalid_state"]);
    const outbox = await customer.manage("GET", `/connections/${connection.id}/outbox`);
    expect([outbox.status, outbox.body.error.code]).toEqual([409, "invalid_state"]);
  });

  it("Simulated messages and the outbox return 404 for a connection of another workspace", async () => {
    const world = new World();
    const [owner, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    await owner.send(phoneEnding("1234"));
    for (const [method, call, body] of [
      ["POST", "simulate", { from: "+14155550100", text: "Hi" }],
      ["GET", "outbox", undefined],
    ] as const) {
      const unknown = await stranger.manage(method, `/connections/conn_01jx00000000000000000000zz/${call}`, body);
      const foreign = await stranger.manage(method, `/connections/${owner.connectionId}/${call}`, body);
      expect([foreign.status, foreign.body.error.code]).toEqual([404, "not_found"]);
      expect(foreign.body.error).toEqual(unknown.body.error);
    }
  });
});
