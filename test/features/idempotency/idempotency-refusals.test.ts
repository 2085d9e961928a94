import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Passage, passingThrough } from "../../support/storage.ts";
import { type Answer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const isReplay = ({ headers }: Answer) => headers.get("Idempotent-Replayed");

describe("Repeats with invalid input", () => {
  it("A repeated request returns the stored response although its `send_at` has passed or its member was removed", async () => {
    const world = new World();
    const customer = await world.customer();
    const { conversation_id: id } = (await customer.send(phoneEnding("1234"))).body;
    const { userId } = await customer.member("agent");
    const soon = new Date(Date.now() + 60_000).toISOString();
    const changes = [
      ["POST", "/messages", { to: phoneEnding("1234"), text: "Hi", send_at: soon }],
      ["POST", `/conversations/${id}/messages`, { text: "Hi", send_at: soon }],
      ["PATCH", `/conversations/${id}`, { snoozed_until: soon }],
      ["PATCH", `/conversations/${id}`, { assignee_id: userId }],
      ["POST", "/conversations/bulk", { ids: [id], assignee_id: userId }],
    ] as const;
    const ask = ([method, path, body]: (typeof changes)[number]) =>
      customer.call(method, path, body, keyed(JSON.stringify(body)));
    const answers: Answer[] = [];
    for (const change of changes) answers.push(await ask(change));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 200, 200, 200]);
    world.advance(3_600_000);
    await customer.manage("DELETE", `/members/${userId}`);
    for (const [index, change] of changes.entries()) {
      const again = await ask(change);
      expect([again.status, again.body, isReplay(again)]).toEqual([
        answers[index]?.status,
        answers[index]?.body,
        "true",
      ]);
      const { status } = await customer.call(change[0], change[1], change[2]);
      expect(status).toBe(JSON.stringify(change).includes(userId) ? 404 : 400);
    }
  });
});

describe("Different requests with one key", () => {
  it("If two merges with one Idempotency-Key are concurrent, only one changes contacts", async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    const passage: Passage = {
      async run(sql, work) {
        const first = /insert into "contact_joins"/.test(sql) ? meanwhile : null;
        if (first !== null) {
          meanwhile = null;
          await first();
        }
        return work();
      },
    };
    const databases = {
      DB: passingThrough(passage, bindings.DB),
      DB_SHARD_1: passingThrough(passage, bindings.DB_SHARD_1),
    };
    const customer = await new World(databases).customer();
    const [a, b, c, d] = await Promise.all(
      ["a", "b", "c", "d"].map(async (name): Promise<string> => {
        const { body } = await customer.call("POST", "/contacts", { email: `${name}@example.com` });
        return body.contact.id;
      }),
    );
    const merge = (id = "", from = "") => customer.call("POST", `/contacts/${id}/merge`, { from }, keyed("k"));
    meanwhile = async () => expect((await merge(c, d)).status).toBe(200);
    const late = await merge(a, b);
    expect([late.status, late.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    expect((await customer.call("GET", `/contacts/${b}`)).status).toBe(200);
    expect((await customer.call("GET", `/contacts/${d}`)).status).toBe(404);
  });
});
