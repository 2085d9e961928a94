import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { limitersAfter, platformError } from "../../support/bindings.ts";
import { override } from "../../support/override.ts";
import { type Answer, Customer, World } from "../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

const ask = (customer: Customer) => customer.call("GET", "/conversations");
const limiterOf = (customer: Customer) => env.KEY_LIMITER.getByName(customer.keyId);
const limited = (requests: number, window_seconds: number) => ({ key: { rate_limit: { requests, window_seconds } } });

const counts = (answers: Answer[]) => ({
  passed: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status }) => status === 429).length,
});

const many = (customer: Customer, times: number) => Promise.all(Array.from({ length: times }, () => ask(customer)));

/** Returns the same customer with other bindings. */
const through = (customer: Customer, bindings: Partial<Env>) =>
  new Customer(new World(bindings), customer.workspaceId, customer.connectionId, customer.keyId, customer.key);

describe("Rate limits", () => {
  it("A rate limit accepts exactly 25 of 60 simultaneous requests, and the other responses have Retry-After", async () => {
    const customer = await new World().customer(limited(25, 4));
    const answers = await many(customer, 60);
    expect(counts(answers)).toEqual({ passed: 25, refused: 35 });
    for (const { status, headers, body } of answers) {
      expect(headers.get("RateLimit-Policy")).toBe('"default";q=25;w=4');
      if (status !== 429) continue;
      expect(body.error).toMatchObject({ code: "rate_limited", details: null });
      expect(headers.get("Retry-After")).toBe("4");
      expect(headers.get("RateLimit")).toBe('"default";r=0;t=4');
    }
    customer.world.advance(3000);
    expect((await ask(customer)).headers.get("Retry-After")).toBe("1");
    customer.world.advance(1000);
    expect(counts(await many(customer, 60))).toEqual({ passed: 25, refused: 35 });
  });

  it("A rate limit returns an exact Retry-After, so that a request one second earlier is rejected", async () => {
    const customer = await new World().customer(limited(2, 60));
    await ask(customer);
    customer.world.advance(20_500);
    await ask(customer);
    const wait = Number((await ask(customer)).headers.get("Retry-After"));
    expect(wait).toBe(40);
    customer.world.advance((wait - 1) * 1000);
    expect((await ask(customer)).status).toBe(429);
    customer.world.advance(1000);
    expect((await ask(customer)).status).toBe(200);
    expect((await ask(customer)).headers.get("Retry-After")).toBe("20");
  });

  it("A rate limit counts each key separately", async () => {
    const world = new World();
    const [first, second] = [await world.customer(limited(1, 60)), await world.customer(limited(1, 60))];
    await ask(first);
    expect((await ask(first)).status).toBe(429);
    expect((await ask(second)).status).toBe(200);
  });

  it("A rate limit still counts earlier requests after its idle Durable Object lost its memory", async () => {
    const customer = await new World().customer(limited(5, 60));
    await many(customer, 3);
    expect(await runDurableObjectAlarm(limiterOf(customer))).toBe(true);
    await evictDurableObject(limiterOf(customer));
    customer.world.advance(30_000);
    expect(counts(await many(customer, 5))).toEqual({ passed: 2, refused: 3 });
    await runDurableObjectAlarm(limiterOf(customer));
    await evictDurableObject(limiterOf(customer));
    expect((await ask(customer)).headers.get("Retry-After")).toBe("30");
    customer.world.advance(30_000);
    expect(counts(await many(customer, 5))).toEqual({ passed: 3, refused: 2 });
  });

  it("A revoked key is rejected after its limiter lost its memory, even if the key was never used and no alarm ran", async () => {
    const customer = await new World().customer(limited(5, 60));
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    await evictDurableObject(limiterOf(customer));
    expect((await ask(customer)).status).toBe(401);
  });
});

describe("Unreachable limiters", () => {
  const failing = (marks: { retryable?: boolean; overloaded?: boolean }, times = Infinity) => {
    let calls = 0;
    const limiters = limitersAfter(() => {
      if (++calls <= times) throw platformError("Durable Object is overloaded.", marks);
    });
    return { limiters, called: () => calls };
  };

  it("A request returns 503 with Retry-After if its limiter is unreachable, and an overloaded limiter is called only once", async () => {
    const customer = await new World().customer();
    const { limiters, called } = failing({ overloaded: true, retryable: true });
    const answer = await ask(through(customer, { KEY_LIMITER: limiters }));
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable", details: null } } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(called()).toBe(1);
  });

  it("An unreachable limiter is called a second time if the platform recommends a retry", async () => {
    const customer = await new World().customer();
    const once = failing({ retryable: true }, 1);
    expect((await ask(through(customer, { KEY_LIMITER: once.limiters }))).status).toBe(200);
    const always = failing({ retryable: true });
    expect((await ask(through(customer, { KEY_LIMITER: always.limiters }))).status).toBe(503);
    expect(always.called()).toBe(2);
  });
});

describe("Interrupted management calls", () => {
  const down = limitersAfter((method) => {
    if (method === "setPolicy") throw platformError("Network connection lost.", {});
  });
  const putFails = override(env.CACHE, {
    put: () => Promise.reject(new Error("KV PUT failed: 429 Too Many Requests")),
  });
  const calls: [string, (customer: Customer) => Promise<Answer>, number][] = [
    ["a revocation", (each) => each.manage("POST", `/api-keys/${each.keyId}/revoke`), 401],
    ["a change of plan", (each) => each.manage("PATCH", "", { plan: "free" }), 402],
    [
      "a change of limit",
      (each) => each.manage("PATCH", `/api-keys/${each.keyId}`, { rate_limit: { requests: 1, window_seconds: 3600 } }),
      429,
    ],
  ];

  it.each(calls)(
    "If a change to a key is stored in D1 but does not reach the limiter, the request returns an error, and a repeat completes it: %s",
    async (_, call, expected) => {
      const customer = await new World().customer();
      await ask(customer);
      expect((await call(through(customer, { KEY_LIMITER: down }))).status).toBe(503);
      expect((await call(customer)).status).toBe(200);
      expect((await ask(customer)).status).toBe(expected);
    },
  );

  it.each(calls)(
    "If a change to a key reaches the limiter but not KV, the request returns an error, the change applies, and a repeat completes it: %s",
    async (_, call, expected) => {
      const customer = await new World().customer();
      await ask(customer);
      const failed = await call(through(customer, { CACHE: putFails }));
      expect(failed).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
      expect((await ask(customer)).status).toBe(expected);
      expect((await call(customer)).status).toBe(200);
      customer.world.advance(31_000);
      expect((await ask(customer)).status).toBe(expected);
    },
  );

  it("If the creation of a key fails halfway, no working key is left behind", async () => {
    const customer = await new World().customer();
    customer.world.advance(1);
    const answer = await through(customer, { KEY_LIMITER: down }).manage("POST", "/api-keys", {
      name: "Half",
      connection_id: customer.connectionId,
    });
    expect(answer).toMatchObject({ status: 503 });
    const { api_keys: keys } = (await customer.manage("GET", "/api-keys")).body;
    expect(keys).toMatchObject([{ name: "Half", revoked_at: null }, { name: "Test" }]);
    expect((await customer.manage("POST", `/api-keys/${keys[0].id}/revoke`)).status).toBe(200);
  });
});

describe("last_used_at", () => {
  const lastUsed = async (customer: Customer) =>
    (await customer.manage("GET", `/api-keys/${customer.keyId}`)).body.api_key.last_used_at;

  /** The limiter has its own bindings, so this sets the queues of the test. */
  const listen = (customer: Customer) =>
    runInDurableObject(limiterOf(customer), (limiter) => void Reflect.set(limiter, "env", customer.world.env));

  const minute = (at: number) => new Date(Math.floor(at / 60_000) * 60_000).toISOString();

  it("last_used_at is accurate to the minute, even if the queue delivers reports twice or late", async () => {
    const world = new World();
    const customer = await world.customer();
    await listen(customer);
    expect(await lastUsed(customer)).toBeNull();
    const first = Date.now();
    await ask(customer);
    await runDurableObjectAlarm(limiterOf(customer));
    const late = world.queues.messages.splice(0);
    expect(late).toMatchObject([{ queue: "tidings-usage", body: { keyId: customer.keyId } }]);
    world.advance(120_000);
    await ask(customer);
    await runDurableObjectAlarm(limiterOf(customer));
    await world.queues.deliverDue(world.env, 2);
    expect(await lastUsed(customer)).toBe(minute(first + 120_000));
    world.queues.messages.push(...late);
    await world.queues.deliverDue(world.env);
    expect(await lastUsed(customer)).toBe(minute(first + 120_000));
  });

  it("Updating last_used_at costs nothing per request, one alarm and write in eight seconds, and one report per minute", async () => {
    const customer = await new World().createCustomer();
    customer.world.setTime(Math.ceil(Date.now() / 60_000) * 60_000);
    await listen(customer);
    const writes: string[] = [];
    await runInDurableObject(limiterOf(customer), (_, { storage }) => {
      const { put, setAlarm } = storage;
      storage.put = (...args: unknown[]) => (writes.push(String(args[0])), Reflect.apply(put, storage, args));
      storage.setAlarm = (...args: unknown[]) => (writes.push("alarm"), Reflect.apply(setAlarm, storage, args));
    });
    const start = Date.now();
    await many(customer, 50);
    expect(writes).toEqual(["alarm"]);
    expect(await runInDurableObject(limiterOf(customer), (_, { storage }) => storage.getAlarm())).toBe(start + 8000);
    await runDurableObjectAlarm(limiterOf(customer));
    expect(writes).toEqual(["alarm", "log", "reported_minute"]);
    await many(customer, 50);
    await runDurableObjectAlarm(limiterOf(customer));
    expect(writes).toEqual(["alarm", "log", "reported_minute", "alarm", "log"]);
    expect(customer.world.queues.messages).toHaveLength(1);
  });

  it("last_used_at is reported by the next alarm if the queue rejected the report", async () => {
    const customer = await new World().customer();
    await listen(customer);
    await ask(customer);
    await runInDurableObject(limiterOf(customer), async (limiter) => {
      Reflect.set(limiter, "env", { USAGE_QUEUE: { send: () => Promise.reject(new Error("Queue overloaded")) } });
      await expect(limiter.alarm()).rejects.toThrow("Queue overloaded");
    });
    await listen(customer);
    await runDurableObjectAlarm(limiterOf(customer));
    expect(customer.world.queues.messages).toHaveLength(1);
  });
});
