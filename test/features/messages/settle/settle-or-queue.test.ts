import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { lockableCustomer } from "../../../support/locked.ts";
import { refuseSettlements } from "../../../support/queues.ts";
import { onShard, steps } from "../../../support/storage.ts";
import { phoneEnding, type World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const TWO_MINUTES = 120_000;

const accepted = (providerMessageId: string): SendOutcome => ({ kind: "accepted", providerMessageId });
const busy: SendOutcome = {
  kind: "retry",
  error: { code: "rate_limited", message: "Too many.", providerCode: "429" },
};
const refused: SendOutcome = {
  kind: "refused",
  error: { code: "undeliverable", message: "Not reachable.", providerCode: "1" },
};

/** Sends a message while the database is locked, with this outcome. The settlement is then in the queue. */
async function answeredWhileLocked(outcome: SendOutcome) {
  const made = await lockableCustomer();
  const { customer, faults, world } = made;
  const send = vi.spyOn(sandbox, "send").mockResolvedValueOnce(outcome);
  faults.lock(steps.settle);
  const answeredAt = Date.now();
  const sent = (await customer.send(phoneEnding("1234"), "Words of the message")).body;
  faults.unlock();
  const held = world.queues.messages.filter(({ queue }) => queue === "tidings-events");
  return { ...made, send, answeredAt, id: sent.message_id, sent, held };
}

async function sweep(world: World): Promise<void> {
  world.advance(TWO_MINUTES + 1000);
  await world.cron();
}

describe("Settlements that storage rejects once", () => {
  it("If storing the outcome of a send fails once, storing is retried, and the message is sent once with the provider's id", async () => {
    const { customer, faults, waited, world } = await lockableCustomer();
    const send = vi.spyOn(sandbox, "send").mockResolvedValue(accepted("p-1"));
    for (let time = 0; time < 3; time++) faults.next(steps.settle);
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect(faults.spent).toBe(true);
    expect(waited).toEqual([500, 1500, 3000]);
    expect(await customer.message(message_id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
    await world.settle();
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("If storing the outcome of a send fails once, the next messages of the thread are still sent", async () => {
    const { customer, faults, world } = await lockableCustomer();
    const bodies: string[] = [];
    vi.spyOn(sandbox, "send").mockImplementation(async (_, { id, body }) => {
      bodies.push(body);
      return accepted(id);
    });
    const to = phoneEnding("1234");
    await customer.send(to, "zero");
    faults.next(steps.settle);
    await Promise.all(["one", "two", "three"].map((text) => customer.send(to, text)));
    await world.settle();
    expect(bodies.toSorted((a, b) => a.localeCompare(b))).toEqual(["one", "three", "two", "zero"]);
  });

  it("If a settlement was stored although the database returned an error, it is not applied a second time", async () => {
    const { customer, faults } = await lockableCustomer();
    vi.spyOn(sandbox, "send").mockResolvedValue(accepted("p-1"));
    faults.next(steps.settle, "after");
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect(await customer.message(message_id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
  });
});

describe("Settlements while storage is locked", () => {
  it("If storage is locked when the provider responds, the outcome is queued and later stored with the time of the response", async () => {
    const { customer, world, send, answeredAt, id, held } = await answeredWhileLocked(accepted("p-1"));
    expect(held).toHaveLength(1);
    expect((await customer.message(id)).delivery).toBe("queued");
    world.advance(30_000);
    await world.queues.deliverDue(world.env, 2);
    expect(await customer.message(id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
    const { sent_at } = await customer.message(id);
    expect(Date.parse(sent_at) - answeredAt).toBeLessThanOrEqual(5000);
    await world.settle();
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("A late settlement does not undo an earlier edit or deletion", { tags: "long" }, async () => {
    for (const change of ["edited_at", "revoked_at"]) {
      const { customer, world, id, held } = await answeredWhileLocked(accepted(`p-${change}`));
      const sent = { address: (await customer.message(id)).to, body: "Words of the message", templateForm: null };
      for (const { body } of held) {
        const [attempted] = Object(body).settlement.attempted;
        Object.assign(attempted, { sent });
      }
      await onShard(customer, `UPDATE messages SET body = 'Other words', ${change} = ? WHERE id = ?`, Date.now(), id);
      await world.settle({ copies: 2 });
      expect(await customer.message(id)).toMatchObject({ delivery: "sent", provider_message_id: `p-${change}` });
      const [row] = await onShard(customer, "SELECT body FROM messages WHERE id = ?", id);
      expect(row?.["body"]).toBe("Other words");
    }
  });

  it("The queue retries a settlement until storage recovers", async () => {
    const { customer, world, faults, id } = await answeredWhileLocked(accepted("p-1"));
    faults.lock(/./);
    for (let time = 0; time < 4; time++) {
      world.advance(20_000);
      await world.queues.deliverDue(world.env);
    }
    faults.unlock();
    await world.settle();
    expect(await customer.message(id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
  });

  it("A queued settlement also settles a message that the cron has set to `unknown`", async () => {
    const { customer, world, send, id } = await answeredWhileLocked(accepted("p-1"));
    await sweep(world);
    expect((await customer.message(id)).delivery).toBe("unknown");
    await world.settle({ copies: 2 });
    expect(await customer.message(id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("A queued settlement of a rejected message sets the message to `failed`, before or after the cron sets it to `unknown`", async () => {
    for (const late of [false, true]) {
      const { customer, world, id } = await answeredWhileLocked(refused);
      if (late) await sweep(world);
      await world.settle({ copies: 2 });
      expect(await customer.message(id)).toMatchObject({
        delivery: "failed",
        error: { code: "undeliverable", provider_code: "1" },
      });
    }
  });

  it("A queued settlement retries a temporarily rejected message once", async () => {
    const { customer, world, send, id } = await answeredWhileLocked(busy);
    await world.settle({ copies: 2 });
    expect(send).toHaveBeenCalledTimes(2);
    expect(["sent", "delivered", "read"]).toContain((await customer.message(id)).delivery);
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("If a queued settlement contains a temporary rejection and the message is already `unknown`, the message fails and is not retried", async () => {
    const { customer, world, send, id, held } = await answeredWhileLocked(busy);
    await sweep(world);
    await world.settle({ copies: 2 });
    const message = await customer.message(id);
    expect(message).toMatchObject({
      delivery: "failed",
      error: { code: "rate_limited", message: "Too many.", provider_code: "429" },
      failed_at: expect.any(String),
    });
    await world.env.EVENTS_QUEUE.sendBatch(held.map(({ body }) => ({ body })));
    await world.settle();
    expect(await customer.message(id)).toEqual(message);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("If the queue delivers a settlement twice, the second delivery does not change a later attempt of the message", async () => {
    const { customer, world, send, id, held } = await answeredWhileLocked(busy);
    send.mockImplementationOnce(async () => ({
      kind: "lost",
      error: { ...refused.error, code: "provider_unreachable" },
    }));
    await world.settle();
    expect([(await customer.message(id)).delivery, send.mock.calls.length]).toEqual(["unknown", 2]);
    await world.env.EVENTS_QUEUE.sendBatch(held.map(({ body }) => ({ body })));
    await world.settle();
    expect((await customer.message(id)).delivery).toBe("unknown");
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("A thread continues after storage recovers and its queued settlement is stored", async () => {
    const { customer, world, sent, id } = await answeredWhileLocked(accepted("p-1"));
    const path = `/conversations/${sent.conversation_id}/messages`;
    await customer.call("POST", "/messages", { to: (await customer.message(id)).to, text: "And another" });
    await world.settle();
    const { messages } = (await customer.call("GET", path)).body;
    expect(messages.map(({ delivery }: { delivery: string }) => delivery)).not.toContain("queued");
    expect(messages.map(({ delivery }: { delivery: string }) => delivery)).not.toContain("unknown");
  });

  it("The log entry of a failed settlement contains neither text nor number", async () => {
    const { customer, errors, id } = await answeredWhileLocked(accepted("p-1"));
    const logged = JSON.stringify(errors.mock.calls);
    expect(logged).toContain("settlement_failed");
    expect(logged).not.toContain("Words of the message");
    expect(logged).not.toContain((await customer.message(id)).to);
  });

  it("A message stays `unknown` and is not sent again if the queue also rejects its settlement", async () => {
    const { world, customer, faults } = await lockableCustomer();
    const send = vi.spyOn(sandbox, "send").mockResolvedValue(accepted("p-1"));
    faults.lock(steps.settle);
    refuseSettlements(world);
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    faults.unlock();
    await sweep(world);
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("unknown");
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("A queued settlement changes nothing in another workspace", async () => {
    const { world, id, customer, held } = await answeredWhileLocked(refused);
    const stranger = await world.customer();
    const workspace = await world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
      .bind(stranger.workspaceId)
      .first();
    world.queues.messages.length = 0;
    const [settlement] = held;
    await world.env.EVENTS_QUEUE.send({ ...Object(settlement?.body), workspace });
    await world.queues.deliverDue(world.env);
    expect((await customer.message(id)).delivery).toBe("queued");
  });
});
