import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { errorsOf, sendBatch, statusesOf, textsTo } from "../../../support/message-batches.ts";
import { costOf, faultyWorld, onShard, databasesThrough } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Repeated batches", () => {
  it("A repeated batch returns the same bytes and sends nothing a second time", async () => {
    const world = new World();
    const customer = await world.customer();
    const [to, other] = [phoneEnding("1234"), phoneEnding("1234")];
    const send_at = new Date(Date.now() + 60_000).toISOString();
    const messages = [
      { to, text: "Hi" },
      { to, text: "Later", send_at },
      { to: other, nonsense: 1 },
      { contact_id: "ct_x", text: "Hi" },
    ];
    const first = await sendBatch(customer, messages, "k");
    expect(statusesOf(first)).toEqual(["queued", "scheduled", "failed", "failed"]);
    await world.settle();
    // At this time, the scheduled time of one row has passed and the contact of another row exists.
    const again = await sendBatch(customer, messages, "k");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(costOf(again)).toMatchObject({ trips: 1, rows_written: 0 });
    expect(await refusal(sendBatch(customer, messages.slice(1), "k"))).toEqual([422, "idempotency_key_reused", null]);
    await world.settle();
    expect(await customer.outbox()).toHaveLength(2);
  });

  it("Concurrent repeats of a batch send each message once", async () => {
    const world = new World();
    const customer = await world.customer();
    const messages = textsTo(5);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendBatch(customer, messages, "k")));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(5);
  });

  it("If the commit of a batch fails, nothing is stored; if only the response to the commit is lost, a repeat completes the batch", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const messages = textsTo(3);
    faults.next(/INSERT INTO messages/, "before");
    expect((await sendBatch(customer, messages, "k")).status).toBe(503);
    const rows = () => onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId);
    expect(await rows()).toEqual([]);
    faults.next(/INSERT INTO messages/, "after");
    expect((await sendBatch(customer, messages, "k")).status).toBe(503);
    const again = await sendBatch(customer, messages, "k");
    expect([again.body.counts.queued, again.headers.get("Idempotent-Replayed")]).toEqual([3, "true"]);
    expect(await rows()).toHaveLength(3);
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await customer.outbox()).toHaveLength(3);
  });

  it("If the queue is down when a batch is accepted, the cron sends its messages", async () => {
    const world = new World();
    const customer = await world.customer();
    vi.spyOn(console, "error").mockReturnValue();
    const sending = vi.spyOn(world.env.DIRECT_QUEUE, "sendBatch").mockRejectedValue(new Error("Queue send failed."));
    expect((await sendBatch(customer, textsTo(3))).body.counts.queued).toBe(3);
    sending.mockRestore();
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await customer.outbox()).toHaveLength(3);
  });
});

describe("Changes during a batch", () => {
  /** Returns a world that runs `change` directly before the first batch of messages is stored. */
  function racingWorld(change: () => Promise<unknown>) {
    let isDone = false;
    const passage = {
      async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
        if (!isDone && /INSERT INTO messages/.test(sql)) {
          isDone = true;
          await change();
        }
        return work();
      },
    };
    return new World(databasesThrough(passage));
  }

  it("A row of a batch is rejected if its recipient opts out between the check of the batch and the acceptance", async () => {
    const plain = new World();
    let optOut = async (): Promise<unknown> => null;
    const world = racingWorld(() => optOut());
    const customer = await world.customer();
    const [leaves, stays] = [phoneEnding("1234"), phoneEnding("1234")];
    const { contact } = (await customer.call("POST", "/contacts", { phone: leaves })).body;
    optOut = () =>
      plain.request("PATCH", `/api/v1/contacts/${contact.id}`, { is_unsubscribed: true }, { token: customer.key });
    const messages = [
      { to: leaves, text: "No" },
      { to: stays, text: "Yes" },
    ];
    const answer = await sendBatch(customer, messages, "k");
    expect(errorsOf(answer)).toEqual([["unsubscribed", { contact_id: contact.id }], null]);
    expect((await sendBatch(customer, messages, "k")).body).toEqual(answer.body);
    await world.settle();
    expect((await customer.outbox()).map(({ body }) => body)).toEqual(["Yes"]);
  });
});
