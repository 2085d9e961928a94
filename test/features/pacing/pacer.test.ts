import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../src/channels/channel.ts";
import { stopClock } from "../../support/clock.ts";
import { pacersAfter, platformError } from "../../support/bindings.ts";
import { watchSends } from "../../support/provider.ts";
import { onShard } from "../../support/storage.ts";
import { HeldWaits } from "../../support/waits.ts";
import { phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const number = () => phoneEnding("1234");

describe("Unreachable pacers", () => {
  it("If the pacer is unreachable, messages are sent later and in order, and no attempt is counted; an overloaded pacer is called only once", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    let down = true;
    const before = vi.fn<() => void>(() => {
      if (down) throw platformError("Durable Object is overloaded.", { overloaded: true, retryable: true });
    });
    const world = new World({ CONNECTION_PACER: pacersAfter(before) });
    const customer = await world.customer();
    const { left } = watchSends();
    const to = number();
    const { message_id } = (await customer.send(to, "first")).body;
    world.advance(1);
    await customer.send(to, "second");
    expect(before).toHaveBeenCalledTimes(1);
    expect(error.mock.calls.flat().join()).toContain("pacer_unreachable");
    for (let n = 0; n < 10; n++) {
      world.advance(11_000);
      await world.queues.deliverDue(world.env, 2);
    }
    expect((await onShard(customer, "SELECT state, attempts FROM messages WHERE id = ?", message_id))[0]).toMatchObject(
      { state: 0, attempts: 0 },
    );
    expect(await customer.message(message_id)).toMatchObject({ delivery: "queued", error: null });
    down = false;
    await world.settle({ copies: 2 });
    expect(left.map(({ body }) => body)).toEqual(["first", "second"]);
  });

  it("An unreachable pacer is called once more if the platform recommends a retry", async () => {
    let calls = 0;
    const pacers = pacersAfter(() => {
      if (++calls === 1) throw platformError("Network connection lost.", { retryable: true });
    });
    const customer = await new World({ CONNECTION_PACER: pacers }).customer();
    const { message_id } = (await customer.send(number())).body;
    expect((await customer.message(message_id)).delivery).toBe("sent");
  });
});

describe("Requested pauses", () => {
  const refusal = (scope: "connection" | "recipient"): SendOutcome => ({
    kind: "retry",
    error: { code: "rate_limited", message: "Slow down.", providerCode: "130429" },
    afterMs: 5000,
    scope,
  });

  it.each([
    ["connection", [5000, 5013]],
    ["recipient", [0, 5000]],
  ] as const)(
    "If a provider requests a pause, the pause applies to the requested scope: %s",
    async (scope, expected) => {
      const customer = await new World().customer();
      const waits = new HeldWaits();
      const { left, send } = watchSends();
      send.mockResolvedValueOnce(refusal(scope));
      const refused = number();
      await customer.send(refused);
      const others = [customer.send(number())];
      await waits.settle(customer.world, others);
      expect(left.map(({ at }) => Math.floor(at / 100))).toEqual(expected.map((at) => Math.floor(at / 100)));
      expect(left.map(({ to }) => to)).toContain(refused);
    },
  );

  it("The sandbox can simulate a provider that requests a pause for one person", async () => {
    const pauses: string[] = [];
    const world = new World({ CONNECTION_PACER: pacersAfter((method) => pauses.push(method)) });
    const customer = await world.customer();
    const { message_id } = (await customer.send(phoneEnding("0007"))).body;
    expect(pauses).toEqual(["take", "pause"]);
    expect((await customer.message((await customer.send(number())).body.message_id)).delivery).toBe("sent");
    await world.settle();
    expect((await customer.message(message_id)).delivery).toBe("read");
  });
});

describe("Pacer of a whatsapp_cloud connection", () => {
  const request = (address: string, isReturning = false) => ({
    provider: "whatsapp_cloud",
    address,
    messagesPerSecond: 80,
    isReturning,
  });

  it("A whatsapp_cloud connection sends one person 45 messages at once, then one per 6 s, even after a restart; others do not wait", async () => {
    const pacer = env.CONNECTION_PACER.getByName("conn_whatsapp");
    const granted = await Promise.all(Array.from({ length: 46 }, () => pacer.take(request("+14155550101"))));
    expect(granted.filter(({ isGranted, inMs }) => isGranted && inMs === 0)).toHaveLength(45);
    expect(granted.at(-1)).toEqual({ isGranted: false, inMs: 6000 });
    await runDurableObjectAlarm(pacer);
    await evictDurableObject(pacer);
    expect(await pacer.take(request("+14155550101"))).toEqual({ isGranted: false, inMs: 6000 });
    expect(await pacer.take(request("+14155550102"))).toEqual({ isGranted: true, inMs: 0 });
    vi.setSystemTime(Date.now() + 6000);
    expect(await pacer.take(request("+14155550101", true))).toEqual({ isGranted: true, inMs: 0 });
    expect(await pacer.take(request("+14155550101"))).toEqual({ isGranted: false, inMs: 6000 });
  });

  it("The pacer of a whatsapp_cloud connection stores its grants at most once a second", async () => {
    const pacer = env.CONNECTION_PACER.getByName("conn_busy");
    const writes: string[] = [];
    await runInDurableObject(pacer, (_, { storage }) => {
      const { put, setAlarm } = storage;
      storage.put = (...args: unknown[]) => (writes.push(String(args[0])), Reflect.apply(put, storage, args));
      storage.setAlarm = (...args: unknown[]) => (writes.push("alarm"), Reflect.apply(setAlarm, storage, args));
    });
    for (const _ of [1, 2]) {
      await Promise.all(Array.from({ length: 50 }, () => pacer.take(request("+14155550101"))));
      await runDurableObjectAlarm(pacer);
    }
    expect(writes).toEqual(["alarm", "slots", "alarm", "slots"]);
  });
});
