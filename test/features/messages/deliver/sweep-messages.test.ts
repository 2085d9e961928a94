import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { heldProvider } from "../../../support/provider.ts";
import { faultyWorld, onShard, steps } from "../../../support/storage.ts";
import { refuseSettlements } from "../../../support/queues.ts";
import { skipWaits } from "../../../support/waits.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Silent providers", () => {
  it("If the provider does not respond, the message becomes `unknown` after two minutes, stops blocking its thread, and accepts a late response", async () => {
    const world = new World();
    const customer = await world.customer();
    const provider = heldProvider();
    const to = phoneEnding("1234");
    const first = customer.send(to, "first");
    await provider.called(1);
    world.advance(60_000);
    const second = (await customer.send(to, "second")).body;
    await world.cron();
    await world.queues.deliverDue(world.env);
    expect(provider.send).toHaveBeenCalledTimes(1);
    expect((await customer.message(second.message_id)).delivery).toBe("queued");

    world.advance(60_000);
    await world.cron();
    const delivering = world.queues.deliverDue(world.env);
    await provider.called(2);
    const { messages } = (await customer.call("GET", `/conversations/${second.conversation_id}/messages`)).body;
    expect(messages.map(({ delivery }: { delivery: string }) => delivery)).toEqual(["queued", "unknown"]);

    provider.answer({ kind: "accepted", providerMessageId: "late" });
    expect(await customer.message((await first).body.message_id)).toMatchObject({
      delivery: "sent",
      provider_message_id: "late",
    });
    provider.answer({ kind: "accepted", providerMessageId: "second" });
    await delivering;
    expect((await customer.message(second.message_id)).delivery).toBe("sent");
    expect(provider.send).toHaveBeenCalledTimes(2);
  });
});

/** Adds a message whose process died after the call, before the outcome was stored or queued. */
async function diedBeforeSettling(ending: string) {
  const { world, faults } = faultyWorld();
  const customer = await world.customer();
  vi.spyOn(console, "error").mockReturnValue();
  skipWaits();
  faults.lock(steps.settle);
  refuseSettlements(world);
  const { message_id: messageId } = (await customer.send(phoneEnding(ending))).body;
  faults.unlock();
  return { world, customer, messageId };
}

describe("Stranded messages", () => {
  it("If the process dies after accepting a message, the cron sends the message once", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(steps.claim);
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect(faults.spent).toBe(true);
    expect((await customer.message(message_id)).delivery).toBe("queued");
    world.advance(60_000);
    await world.cron();
    await world.cron();
    await world.settle({ copies: 2 });
    await world.cron();
    await world.settle({ copies: 2 });
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("The cron sends the messages that a crash left unsent on each shard, in the order of acceptance", async () => {
    const { world, faults } = faultyWorld();
    const customers = [await world.customer(), await world.customer()];
    const to = phoneEnding("1234");
    for (const customer of customers) {
      for (const text of ["first", "second", "third"]) {
        faults.next(steps.claim);
        await customer.send(to, text);
        world.advance(1);
      }
    }
    const send = vi.spyOn(sandbox, "send");
    world.advance(60_000);
    await world.cron();
    await world.settle();
    for (const customer of customers) {
      const own = send.mock.calls.filter(([connection]) => connection.id === customer.connectionId);
      expect(own.map(([, { body }]) => body)).toEqual(["first", "second", "third"]);
    }
    for (const customer of customers) expect(await customer.outbox()).toHaveLength(3);
  });

  it("The cron does not change a message that a process might still be sending", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(steps.claim);
    await customer.send(phoneEnding("1234"));
    world.advance(5000);
    await world.cron();
    expect(world.queues.messages).toEqual([]);
  });

  it("If the process dies after the provider call and before it stores the response, the message is `unknown` until a status arrives", async () => {
    const { world, customer, messageId: message_id } = await diedBeforeSettling("0004");
    expect((await customer.message(message_id)).delivery).toBe("queued");
    world.advance(114_000);
    await world.cron();
    expect((await customer.message(message_id)).delivery).toBe("queued");
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("unknown");
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("If the process dies before it stores the provider's response, statuses set the message's state and provider id", async () => {
    const { world, customer, messageId: message_id } = await diedBeforeSettling("1234");
    await world.settle();
    const message = await customer.message(message_id);
    expect(message).toMatchObject({ delivery: "read", provider_message_id: expect.any(String) });
    expect([message.sent_at, message.delivered_at, message.read_at]).not.toContain(null);
    world.advance(600_000);
    await world.cron();
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(await customer.outbox()).toHaveLength(1);
  });

  it(
    "If the database stores that a message was sent but its response is lost, the message stays `sent`",
    { tags: "long" },
    async () => {
      const { world, faults } = faultyWorld();
      const customer = await world.customer();
      faults.next(steps.settle, "after");
      const { message_id } = (await customer.send(phoneEnding("1234"))).body;
      expect((await customer.message(message_id)).delivery).toBe("sent");
    },
  );

  it("If only the database's response to a claim was lost, the message is sent later, because no call was made", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(steps.claim, "after");
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    world.advance(180_000);
    await world.cron();
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(await customer.outbox()).toHaveLength(1);
  });
});

describe("Concurrent jobs and cron", () => {
  it("A message is sent once if many jobs and the cron deliver its thread at the same time", async () => {
    const world = new World();
    const customer = await world.customer();
    const { message_id } = (await customer.send(phoneEnding("0007"))).body;
    const [pointer] = world.queues.messages;
    world.advance(10_000);
    await world.env.DIRECT_QUEUE.sendBatch(Array.from({ length: 20 }, () => ({ body: pointer?.body })));
    await Promise.all([world.queues.deliverDue(world.env, 2), world.cron()]);
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(await customer.outbox()).toHaveLength(1);
  });
});

describe("Cron", () => {
  it("The cron writes nothing if no message was left unsent", async () => {
    const world = new World();
    const customer = await world.customer();
    await customer.send(phoneEnding("1234"));
    await world.settle();
    const before = await onShard(customer, "SELECT * FROM messages");
    world.advance(600_000);
    await world.cron();
    expect(world.queues.messages).toEqual([]);
    expect(await onShard(customer, "SELECT * FROM messages")).toEqual(before);
  });
});
