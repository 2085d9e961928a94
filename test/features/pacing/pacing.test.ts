import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { pacersAfter } from "../../support/bindings.ts";
import { watchSends } from "../../support/provider.ts";
import { onShard } from "../../support/storage.ts";
import { HeldWaits } from "../../support/waits.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const number = () => phoneEnding("1234");
const setRate = (customer: Customer, messages_per_second: number) =>
  customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second });

async function customerAt(rate: number, world = new World()): Promise<Customer> {
  const customer = await world.customer();
  await setRate(customer, rate);
  return customer;
}

const fullest = (times: number[]) =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1000).length));

const rowOf = async (customer: Customer, id: string) =>
  (await onShard(customer, "SELECT state, attempts, next_attempt_at FROM messages WHERE id = ?", id))[0];

/** The number of the contact in a queue pointer. */
const seqIn = (body: unknown): number =>
  typeof body === "object" && body !== null ? Number(Reflect.get(body, "contactSeq")) : NaN;

describe("Connection rates", () => {
  /**
   * Sends a burst of `count` messages to `people` people. If `count` is larger, the first people get a second message.
   */
  async function expectBurstPaced(people: number, count: number): Promise<void> {
    const customer = await customerAt(10);
    const { world } = customer;
    const waits = new HeldWaits();
    const { left } = watchSends();
    const numbers = Array.from({ length: people }, number);
    const sending = numbers.map((to) => customer.send(to, "first"));
    await waits.quiet(world);
    world.advance(1);
    const twice = numbers.slice(0, count - people);
    sending.push(...twice.map((to) => customer.send(to, "second")));
    await waits.settle(world, sending, 2);
    expect((await Promise.all(sending)).every(({ status }) => status === 202)).toBe(true);

    const sent = left.map(({ to, body }) => `${to} ${body}`);
    expect(new Set(sent).size).toBe(count);
    expect(sent).toHaveLength(count);
    for (const to of twice) expect(sent.indexOf(`${to} first`)).toBeLessThan(sent.indexOf(`${to} second`));
    expect(fullest(left.map(({ at }) => at))).toBe(10);
    expect(Math.max(...left.map(({ at }) => at))).toBeLessThanOrEqual(count * 100 + 3000);
  }

  it("A connection with 10 messages per second sends a burst of 40 once each and in order, even if every queue message is delivered twice", () =>
    expectBurstPaced(30, 40));

  it(
    "A connection with 10 messages per second sends a burst of 200 once each and in order, even if every queue message is delivered twice",
    { tags: "long" },
    () => expectBurstPaced(150, 200),
  );

  it("A request waits up to 2 s for the slot of its message; for a later slot the message is queued, is not sent early, and is ignored by the cron", async () => {
    const customer = await customerAt(1);
    const { world } = customer;
    const waits = new HeldWaits();
    const { left } = watchSends();
    const start = Date.now();
    const sending = [];
    for (const text of ["now", "waits", "waits longer", "queued", "queued later"]) {
      sending.push(customer.send(number(), text));
      await waits.quiet(world);
    }
    const ids = (await Promise.all(sending.slice(3))).map(({ body }) => body.message_id);
    expect(waits.count).toBe(2);
    expect(await rowOf(customer, ids[0])).toEqual({ state: 0, attempts: 0, next_attempt_at: start + 3000 });
    expect(await rowOf(customer, ids[1])).toEqual({ state: 0, attempts: 0, next_attempt_at: start + 4000 });
    expect(world.queues.messages.map(({ dueAt }) => dueAt - start)).toEqual([3000, 4000]);

    const [pointer] = world.queues.messages;
    world.setTime(start + 2999);
    waits.wakeDue();
    await Promise.all(sending);
    await world.env.DIRECT_QUEUE.sendBatch([{ body: pointer?.body }]);
    await world.queues.deliverDue(world.env);
    await world.cron();
    expect(left.map(({ body }) => body)).toEqual(["now", "waits", "waits longer"]);
    expect(world.queues.messages).toHaveLength(2);
    await waits.settle(world, []);
    expect(left.map(({ at, body }) => `${body} ${at}`).slice(3)).toEqual(["queued 3000", "queued later 4000"]);
  });

  it("If a connection's rate changes, the new rate applies from the next slot", { tags: "long" }, async () => {
    const customer = await customerAt(1);
    const waits = new HeldWaits();
    const { left } = watchSends();
    const sending = [customer.send(number())];
    await waits.quiet(customer.world);
    await setRate(customer, 20);
    for (let n = 0; n < 19; n++) sending.push(customer.send(number()));
    await waits.quiet(customer.world);
    expect(left).toHaveLength(20);
    await setRate(customer, 2);
    sending.push(customer.send(number()), customer.send(number()));
    await waits.settle(customer.world, sending);
    expect(left.slice(20).map(({ at }) => at)).toEqual([1000, 1500]);
  });

  it("A connection's rate survives eviction of the idle pacer", async () => {
    const customer = await customerAt(2);
    const waits = new HeldWaits();
    const { left } = watchSends();
    await Promise.all([customer.send(number()), customer.send(number())]);
    const pacer = env.CONNECTION_PACER.getByName(customer.connectionId);
    expect(await runDurableObjectAlarm(pacer)).toBe(true);
    await evictDurableObject(pacer);
    customer.world.advance(300);
    await waits.settle(customer.world, [customer.send(number()), customer.send(number())]);
    expect(left.map(({ at }) => at)).toEqual([0, 0, 1000, 1500]);
  });

  it("Sending a message calls the pacer once, and jobs that find nothing to send do not call it", async () => {
    const asked = vi.fn<() => void>();
    const customer = await new World({ CONNECTION_PACER: pacersAfter(asked) }).customer();
    await customer.send(number());
    expect(asked).toHaveBeenCalledTimes(1);
    await customer.world.settle({ copies: 2 });
    await customer.world.cron();
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe("Messages that wait for a turn", () => {
  it("If a conversation's oldest message waits for its turn, later messages stay behind it, and the cron does not send them", async () => {
    const customer = await customerAt(1);
    const { world } = customer;
    const waits = new HeldWaits();
    const { left } = watchSends();
    const to = number();
    const start = Date.now();
    const sending = Array.from({ length: 20 }, () => customer.send(number(), "others"));
    await waits.quiet(world);
    const first = (await customer.send(to, "first")).body;
    expect(await rowOf(customer, first.message_id)).toMatchObject({ next_attempt_at: start + 20_000 });
    world.advance(1);
    await setRate(customer, 1000);
    const second = (await customer.send(to, "second")).body;
    expect(await rowOf(customer, second.message_id)).toMatchObject({ state: 0, attempts: 0 });
    const pointers = world.queues.messages.splice(0);
    world.setTime(start + 19_000);
    waits.wakeDue();
    await Promise.all(sending);
    await world.cron();
    expect(JSON.stringify(world.queues.messages)).not.toContain(`"contactSeq":${seqIn(pointers.at(-1)?.body)}`);
    world.queues.messages.length = 0;

    world.setTime(start + 20_500);
    await customer.send(to, "third");
    expect(left.filter((each) => each.to === to).map(({ body }) => body)).toEqual(["first", "second", "third"]);
  });

  it("If the queue loses the job for a conversation whose oldest message waits for its turn, the cron sends the message", async () => {
    const customer = await customerAt(1);
    const { world } = customer;
    const waits = new HeldWaits();
    const { left } = watchSends();
    const numbers = Array.from({ length: 4 }, number);
    const sending = numbers.map((to) => customer.send(to));
    await waits.quiet(world);
    world.queues.messages.length = 0;
    world.advance(60_000);
    waits.wakeDue();
    await Promise.all(sending);
    await world.cron();
    await waits.settle(world, []);
    expect(left.map(({ to }) => to).filter((to) => numbers.includes(to))).toHaveLength(4);
  });
});
