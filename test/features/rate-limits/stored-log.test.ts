import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { crowd } from "../../support/scans.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const ask = (customer: Customer) => customer.call("GET", "/conversations");
const limiterOf = (customer: Customer) => env.KEY_LIMITER.getByName(customer.keyId);
const limited = (requests: number, window_seconds: number) => ({ key: { rate_limit: { requests, window_seconds } } });

const counts = (answers: Answer[]) => ({
  passed: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status }) => status === 429).length,
});

const many = (customer: Customer, times: number) => Promise.all(Array.from({ length: times }, () => ask(customer)));

async function watchWrites(customer: Customer): Promise<string[]> {
  const writes: string[] = [];
  await runInDurableObject(limiterOf(customer), (_, { storage }) => {
    const { put, setAlarm } = storage;
    storage.put = (...args: unknown[]) => (writes.push(String(args[0])), Reflect.apply(put, storage, args));
    storage.setAlarm = (...args: unknown[]) => (writes.push("alarm"), Reflect.apply(setAlarm, storage, args));
  });
  return writes;
}

describe("Stored log of a rate limit", () => {
  it.each([
    ["a tenth of the limit", 50, 60, 5],
    ["a second's share of the limit in a short window", 20, 4, 5],
    ["the whole limit in a window of one second", 5, 1, 5],
    ["each request under a small limit", 3, 60, 1],
  ])("A rate limiter stores its log of requests after %s", async (_, requests, window, expected) => {
    const customer = await new World().customer(limited(requests, window));
    await ask(customer); // stores the policy
    await runDurableObjectAlarm(limiterOf(customer));
    customer.world.advance(window * 1000);
    const writes = await watchWrites(customer);
    for (let count = 1; count < expected; count++) await ask(customer);
    expect(writes.filter((write) => write === "log")).toEqual([]);
    await ask(customer);
    expect(writes.filter((write) => write === "log")).toEqual(["log"]);
    await runDurableObjectAlarm(limiterOf(customer));
    expect(writes.filter((write) => write === "log")).toEqual(["log"]);
  });

  it("If a rate limiter restarts before its alarm, it forgets fewer requests than a tenth of the limit", async () => {
    const customer = await new World().customer(limited(50, 60));
    expect(counts(await many(customer, 44))).toEqual({ passed: 44, refused: 0 });
    await evictDurableObject(limiterOf(customer));
    expect(counts(await many(customer, 60))).toEqual({ passed: 10, refused: 50 });
    await evictDurableObject(limiterOf(customer));
    expect(counts(await many(customer, 10))).toEqual({ passed: 0, refused: 10 });
  });

  it("A 429 of another limit does not count towards the rate limit, and requests at the same time still count", async () => {
    const customer = await new World().customer(limited(10, 60));
    const others = await crowd(customer);
    const contacts = Array.from({ length: 50 }, (_, index) => ({ email: `c${index}@example.com` }));
    const batch = () => customer.call("POST", "/contacts/batch", { contacts });
    expect((await ask(customer)).headers.get("X-RateLimit-Remaining")).toBe("9");
    customer.world.advance(20_000);
    const refused = await Promise.all([batch(), batch(), ask(customer), batch(), ask(customer), batch()]);
    expect(counts(refused)).toEqual({ passed: 2, refused: 4 });
    await runDurableObjectAlarm(limiterOf(customer));
    await evictDurableObject(limiterOf(customer));
    const answers = await many(customer, 20);
    expect(counts(answers)).toEqual({ passed: 7, refused: 13 });
    expect(answers.at(-1)?.headers.get("Retry-After")).toBe("40");
    await others.leave();
  });
});
