import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { archive, costOf, faultyWorld, onShard, steps } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const isReplay = ({ headers }: Answer) => headers.get("Idempotent-Replayed");
const records = (customer: Customer) =>
  onShard(customer, "SELECT key FROM idempotency WHERE actor = ? ORDER BY key", customer.keyId);

describe("Repeated requests", () => {
  it("A repeated request returns the first response and does not make the change a second time", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const first = await customer.send(to, "Hi", keyed("order-1"));
    expect(isReplay(first)).toBeNull();
    await world.settle();
    const again = await customer.send(to, "Hi", keyed("order-1"));
    await world.settle();
    expect([again.status, again.body, isReplay(again)]).toEqual([202, first.body, "true"]);
    expect(costOf(again)).toMatchObject({ trips: 1, rows_written: 0 });
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("Of 20 concurrent repeats of a request, one takes effect, and all return the same body", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const answers = await Promise.all(Array.from({ length: 20 }, () => customer.send(to, "Hi", keyed("same"))));
    await world.settle();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter((answer) => isReplay(answer) === null)).toHaveLength(1);
    expect(await customer.outbox()).toHaveLength(1);
    const rows = await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId);
    expect(rows).toHaveLength(1);
  });

  it("A repeated request takes effect again after 24 hours, but not a millisecond earlier", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const start = Date.now();
    const first = await customer.send(to, "Hi", keyed("k"));
    world.setTime(start + DAY_MS - 1);
    expect(isReplay(await customer.send(to, "Hi", keyed("k")))).toBe("true");
    world.setTime(start + DAY_MS);
    const second = await customer.send(to, "Hi", keyed("k"));
    expect([second.status, isReplay(second)]).toEqual([202, null]);
    expect(second.body.message_id).not.toBe(first.body.message_id);
    expect((await customer.send(to, "Hi", keyed("k"))).body).toEqual(second.body);
  });

  it("A repeated request returns the first response even if the contact has changed since", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const first = await customer.send(to, "Hi", keyed("k"));
    await archive(customer, first.body.contact_id);
    world.advance(1);
    await customer.receive(to, "STOP");
    await archive(customer, first.body.contact_id);
    expect((await customer.send(to, "Hi")).body.error.code).toBe("unsubscribed");
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.status, again.body, isReplay(again)]).toEqual([202, first.body, "true"]);
    const { contact } = (await customer.call("GET", `/contacts/${first.body.contact_id}`)).body;
    expect(contact.is_archived).toBe(true);
  });

  it("A repeated request returns the stored response for every kind of change", async () => {
    const world = new World();
    const customer = await world.customer();
    const { conversation_id, contact_id } = (await customer.send(phoneEnding("1234"))).body;
    const changes = [
      ["PATCH", `/conversations/${conversation_id}`, { status: "done" }],
      ["POST", `/conversations/${conversation_id}/read`, undefined],
      ["POST", `/conversations/${conversation_id}/messages`, { text: "Hello" }],
      ["PATCH", `/contacts/${contact_id}`, { name: "Ann" }],
      ["PUT", `/contacts/${contact_id}`, { name: "Ann" }],
    ] as const;
    for (const [method, path, body] of changes) {
      const first = await customer.call(method, path, body, keyed(`${method} ${path}`));
      expect([first.status < 300, isReplay(first)]).toEqual([true, null]);
      world.advance(60_000);
      await onShard(customer, "UPDATE conversations SET status = 'open' WHERE id = ?", conversation_id);
      await onShard(customer, "UPDATE contacts SET name = 'Ben' WHERE id = ?", contact_id);
      const again = await customer.call(method, path, body, keyed(`${method} ${path}`));
      expect([again.status, again.body, isReplay(again)]).toEqual([first.status, first.body, "true"]);
    }
    const { contact } = (await customer.call("GET", `/contacts/${contact_id}`)).body;
    const { conversation } = (await customer.call("GET", `/conversations/${conversation_id}`)).body;
    expect([contact.name, conversation.status]).toEqual(["Ben", "open"]);
  });

  it("A repeated request returns the committed change if the first response was lost", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    faults.next(steps.accept, "after");
    const lost = await customer.send(to, "Hi", keyed("k"));
    expect([lost.status, lost.body.error.code]).toEqual([503, "unavailable"]);
    expect(Number(lost.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.status, isReplay(again)]).toEqual([202, "true"]);
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect((await customer.message(again.body.message_id)).delivery).toBe("read");
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("A repeated request takes effect if the first request never reached the storage", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    faults.next(steps.accept);
    expect((await customer.send(to, "Hi", keyed("k"))).status).toBe(503);
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.status, isReplay(again)]).toEqual([202, null]);
  });
});

describe("Idempotency-Key", () => {
  it("An Idempotency-Key is rejected for a request with a different method, path, query or body", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const { conversation_id } = (await customer.send(to, "Hi", keyed("k"))).body;
    const others = [
      customer.send(to, "Ho", keyed("k")),
      customer.call("POST", "/messages", undefined, { ...keyed("k"), raw: JSON.stringify({ text: "Hi", to }) }),
      customer.call("POST", `/conversations/${conversation_id}/messages`, { text: "Hi" }, keyed("k")),
      customer.call("PATCH", `/conversations/${conversation_id}`, { status: "done" }, keyed("k")),
    ];
    for (const answer of await Promise.all(others)) {
      expect([answer.status, answer.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    }
    expect(await customer.outbox()).toHaveLength(1);
    const { conversation } = (await customer.call("GET", `/conversations/${conversation_id}`)).body;
    expect(conversation.status).toBe("open");
  });

  it("An Idempotency-Key can be used again if its request was rejected", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "STOP");
    const [contact] = await onShard(customer, "SELECT id FROM contacts WHERE phone = ?", to);
    for (const [method, path, body, status] of [
      ["POST", "/messages", { to, text: "Hi" }, 422],
      ["POST", "/messages", { to: "nobody", text: "Hi" }, 400],
      ["PATCH", "/contacts/ct_unknown", { name: "Ann" }, 404],
      ["PATCH", "/conversations/cnv_unknown", { status: "done" }, 404],
      ["POST", "/conversations/cnv_unknown/read", undefined, 404],
      ["POST", "/conversations/cnv_unknown/messages", { text: "Hi" }, 404],
    ] as const) {
      expect((await customer.call(method, path, body, keyed("k"))).status, path).toBe(status);
    }
    expect(await records(customer)).toEqual([]);
    await customer.call("PATCH", `/contacts/${contact?.["id"]}`, { is_unsubscribed: false });
    const answer = await customer.send(to, "Hi", keyed("k"));
    expect([answer.status, isReplay(answer)]).toEqual([202, null]);
  });

  it("A request takes effect even if another API key has used its Idempotency-Key", async () => {
    const world = new World();
    const [one, , other] = [await world.customer(), await world.customer(), await world.customer()];
    const to = phoneEnding("1234");
    await one.send(to, "Hi", keyed("k"));
    const answer = await other.send(to, "Hi", keyed("k"));
    expect([answer.status, isReplay(answer)]).toEqual([202, null]);
    const second = await one.manage("POST", "/api-keys", { name: "Second", connection_id: one.connectionId });
    const body = { to, text: "Hi" };
    const ask = { token: second.body.key, ...keyed("k") };
    const bySecond = await world.request("POST", "/api/v1/messages", body, ask);
    expect([bySecond.status, isReplay(bySecond)]).toEqual([202, null]);
  });

  it.each([
    ["empty", ""],
    ["longer than 255", "k".repeat(256)],
    ["not ASCII", "schlüssel"],
    ["with a tab inside", "a\tb"],
  ])("An Idempotency-Key is rejected if it is %s", async (_, key) => {
    const customer = await new World().customer();
    const answer = await customer.send(phoneEnding("1234"), "Hi", keyed(key));
    expect([answer.status, answer.body.error.code]).toEqual([400, "validation_failed"]);
    expect(answer.body.error.details).toMatchObject([{ path: "header.idempotency-key", code: "invalid_format" }]);
  });

  it("An Idempotency-Key can have 255 characters and spaces", async () => {
    const customer = await new World().customer();
    const key = `a b${"~".repeat(252)}`;
    expect((await customer.send(phoneEnding("1234"), "Hi", keyed(key))).status).toBe(202);
    expect(await records(customer)).toEqual([{ key }]);
  });

  it("The cron deletes an Idempotency-Key when its requests can no longer be repeated", async () => {
    const world = new World();
    const customer = await world.customer();
    await customer.send(phoneEnding("1234"), "Hi", keyed("old"));
    world.advance(3 * DAY_MS);
    await customer.send(phoneEnding("1234"), "Hi", keyed("new"));
    await world.cron();
    await world.cron();
    expect(await records(customer)).toEqual([{ key: "new" }]);
  });
});
