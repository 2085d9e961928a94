import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { heldProvider } from "../../../support/provider.ts";
import { faultyWorld, onShard, steps } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const busy: SendOutcome = {
  kind: "retry",
  error: { code: "provider_unreachable", message: "Busy.", providerCode: "131000" },
};

const bodies = async (customer: Customer) => (await customer.outbox("?limit=100")).map(({ body }) => body).toReversed();

describe("Temporary rejections", () => {
  it("A temporarily rejected message is sent at most six times, with longer and longer pauses", async () => {
    const world = new World();
    const customer = await world.customer();
    const at: number[] = [];
    vi.spyOn(sandbox, "send").mockImplementation(() => {
      at.push(Date.now());
      return Promise.resolve(busy);
    });
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect((await customer.message(message_id)).delivery).toBe("queued");
    await world.settle({ copies: 2 });
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(pauses).toHaveLength(5);
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual(1000 * 4 ** index * 0.75);
      expect(pause).toBeLessThanOrEqual(1000 * 4 ** index * 1.25 + 1000);
    });
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "provider_unreachable", message: "Busy.", provider_code: "131000" },
      failed_at: new Date(at.at(-1) ?? 0).toISOString(),
      sent_at: null,
    });
  });

  it("A temporarily rejected message is not retried before the time that the provider requests", async () => {
    const world = new World();
    const customer = await world.customer();
    const start = Date.now();
    const send = vi.spyOn(sandbox, "send").mockResolvedValueOnce({ ...busy, afterMs: 60_000 });
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    world.setTime(start + 59_999);
    await world.cron();
    await world.queues.deliverDue(world.env);
    expect(send).toHaveBeenCalledTimes(1);
    await world.settle();
    expect(send).toHaveBeenCalledTimes(2);
    expect((await customer.message(message_id)).delivery).toBe("read");
  });

  it("A temporarily rejected message does not block the next message of its thread", async () => {
    const world = new World();
    const customer = await world.customer();
    vi.spyOn(sandbox, "send").mockResolvedValueOnce(busy);
    const to = phoneEnding("1234");
    await customer.send(to, "first");
    world.advance(1);
    await customer.send(to, "second");
    await world.settle();
    expect(await bodies(customer)).toEqual(["second", "first"]);
  });

  it("The cron retries a temporarily rejected message if the queue loses its job", async () => {
    const world = new World();
    const customer = await world.customer();
    const { message_id } = (await customer.send(phoneEnding("0007"))).body;
    world.queues.messages.length = 0;
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
  });

  it("A temporarily rejected message blocks no other message, even if the queue rejects the job for the retry", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    faults.next(steps.claim);
    await customer.send(to, "first");
    world.advance(1);
    faults.next(steps.claim);
    await customer.send(to, "second");
    world.advance(1);
    vi.spyOn(sandbox, "send").mockResolvedValueOnce(busy);
    vi.spyOn(world.env.DIRECT_QUEUE, "sendBatch").mockRejectedValueOnce(new Error("Queue is overloaded"));
    await customer.send(to, "third");
    expect(await bodies(customer)).toEqual(["second", "third"]);
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await bodies(customer)).toEqual(["second", "third", "first"]);
  });
});

describe("Permanent rejections", () => {
  it("A permanently rejected message fails with the provider's reason and is not retried", async () => {
    const world = new World();
    const customer = await world.customer();
    const send = vi.spyOn(sandbox, "send").mockResolvedValue({
      kind: "refused",
      error: { code: "account_blocked", message: "The account is locked.", providerCode: "131031" },
    });
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    world.advance(600_000);
    await world.cron();
    await world.settle();
    expect(send).toHaveBeenCalledTimes(1);
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "account_blocked", message: "The account is locked.", provider_code: "131031" },
    });
  });
});

describe("Lost responses", () => {
  it.each([
    ["reports it", () => Promise.resolve<SendOutcome>({ kind: "lost", error: busy.error })],
    ["throws", () => Promise.reject(new Error("The connection was reset."))],
  ])(
    "A message whose response is lost becomes `unknown` and is never sent again if the channel %s",
    async (_, answer) => {
      const world = new World();
      const customer = await world.customer();
      const send = vi.spyOn(sandbox, "send").mockImplementation(answer);
      const { message_id } = (await customer.send(phoneEnding("1234"))).body;
      expect((await customer.message(message_id)).delivery).toBe("unknown");
      world.advance(3_600_000);
      await world.cron();
      await world.settle();
      expect(send).toHaveBeenCalledTimes(1);
      expect((await customer.message(message_id)).delivery).toBe("unknown");
    },
  );

  it("A message whose response is lost does not block the next message of the thread", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    vi.spyOn(sandbox, "send").mockRejectedValueOnce(new Error("The connection was reset."));
    await customer.send(to, "first");
    await customer.send(to, "second");
    expect(await bodies(customer)).toEqual(["second"]);
  });
});

describe("Calls in progress", () => {
  it("A message stays `queued` during the call to the provider", async () => {
    const customer = await new World().customer();
    const provider = heldProvider();
    const sending = customer.send(phoneEnding("1234"));
    await provider.called(1);
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    const { messages } = (await customer.call("GET", `/conversations/${conversations[0].id}/messages`)).body;
    expect(messages).toMatchObject([{ delivery: "queued" }]);
    provider.answer({ kind: "accepted", providerMessageId: "p" });
    await sending;
  });
});

describe("Threads", () => {
  it("A thread sends any number of messages in the order of acceptance", { tags: "long" }, async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const provider = heldProvider();
    const first = customer.send(to, "0");
    await provider.called(1);
    for (let n = 1; n <= 25; n++) {
      world.advance(1);
      await customer.send(to, String(n));
    }
    const left: string[] = [];
    provider.send.mockImplementation((_, { id, body }) => {
      left.push(body);
      return Promise.resolve({ kind: "accepted", providerMessageId: id });
    });
    provider.answer({ kind: "accepted", providerMessageId: "p" });
    await first;
    await world.settle({ copies: 2 });
    expect(left).toEqual(Array.from({ length: 25 }, (_, n) => String(n + 1)));
  });

  it("A blocked thread does not block other threads", async () => {
    const customer = await new World().customer();
    const provider = heldProvider();
    const held = customer.send(phoneEnding("1234"), "held");
    await provider.called(1);
    provider.send.mockRestore();
    const { message_id } = (await customer.send(phoneEnding("1234"), "other")).body;
    expect((await customer.message(message_id)).delivery).toBe("sent");
    provider.answer({ kind: "accepted", providerMessageId: "p" });
    await held;
  });
});

describe("Failed connections", () => {
  it.each([
    ["waits for the connection", 60_000, "read", null],
    ["fails if the connection does not recover", Infinity, "failed", "provider_unreachable"],
  ])("If the connection fails after a message was accepted, the message %s", async (_, backAfterMs, delivery, code) => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const set = (status: string) =>
      onShard(customer, "UPDATE connections SET status = ? WHERE id = ?", status, customer.connectionId);
    faults.next(steps.claim);
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    await set("disconnected");
    world.advance(60_000);
    await world.cron();
    await world.settle({ withinMs: Math.min(backAfterMs, 3_600_000) });
    if (backAfterMs !== Infinity) await set("active");
    await world.settle();
    const message = await customer.message(message_id);
    expect([message.delivery, message.error?.code ?? null]).toEqual([delivery, code]);
    expect(await customer.outbox()).toHaveLength(delivery === "read" ? 1 : 0);
  });
});

describe("Unreadable secrets", () => {
  it("If the connection's secrets cannot be decrypted, the message is retried, because nothing was sent", async () => {
    const world = new World();
    const customer = await world.customer();
    const seal = (secrets: string) =>
      onShard(customer, "UPDATE connections SET secrets = ? WHERE id = ?", secrets, customer.connectionId);
    await seal(JSON.stringify({ api_key: { sealed: "v1.unknown.AA.AA", hint: "" } }));
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    await seal("{}");
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
  });
});
