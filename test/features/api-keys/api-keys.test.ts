import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { mintKey } from "../../../src/features/api-keys/api-keys.token.ts";
import { sha256Hex } from "../../../src/shared/security/crypto.ts";
import { stopClock } from "../../support/clock.ts";
import { laggingCache } from "../../support/bindings.ts";
import { newEncryptionKey } from "../../support/encryption-keys.ts";
import { override } from "../../support/override.ts";
import { costOf } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

const ask = (customer: Customer, method = "GET") => customer.call(method, "/conversations");
const patch = (customer: Customer, change: object) => customer.manage("PATCH", `/api-keys/${customer.keyId}`, change);
const revoke = (customer: Customer) => customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
const setPlan = (customer: Customer, plan: string) => customer.manage("PATCH", "", { plan });

/** Advances past the isolate's cache of keys, so that the Worker reads KV. */
const forgetHeld = (world: World) => world.advance(31_000);

const totalCost = (answer: Answer) =>
  (["d1", "kv", "do", "queue"] as const).map((resource) => Object.values(costOf(answer, resource))).flat();

describe("Authentication by API key", () => {
  it("A missing or invalid key returns 401 with the reason", async () => {
    const world = new World();
    const customer = await world.customer({ key: { expires_at: new Date(Date.now() + 60_000).toISOString() } });
    const unknown = await mintKey({ current: world.env.ENCRYPTION_KEY });
    const answerTo = (headers: Record<string, string>) =>
      world.request("GET", "/api/v1/conversations", undefined, { headers });
    const reasons: [Record<string, string>, RegExp][] = [
      [{}, /Send your API key/],
      [{ Authorization: "Basic abc" }, /must be Bearer/],
      [{ Authorization: "Bearer" }, /must be Bearer/],
      [{ Authorization: `Bearer ${customer.key} x` }, /must be Bearer/],
      [{ Authorization: "Bearer tdg_short" }, /API key is not valid/],
      [{ Authorization: `Bearer ${customer.key}x` }, /API key is not valid/],
      [{ Authorization: `Bearer ${world.env.ADMIN_TOKEN}` }, /API key is not valid/],
      [{ Authorization: `Bearer ${unknown}` }, /does not exist/],
    ];
    for (const [headers, message] of reasons) {
      const answer = await answerTo(headers);
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized", details: null } } });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(answer.body.error.message).toMatch(message);
    }
    expect((await answerTo({ Authorization: `bearer  ${customer.key} ` })).status).toBe(200);
    world.advance(60_000);
    expect((await ask(customer)).body.error.message).toMatch(/expired/);
    const revoked = await world.customer();
    await revoke(revoked);
    const answer = await ask(revoked);
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(answer.body.error.message).toMatch(/revoked/);
  });

  it("A malformed or forged key costs no I/O, and a second request with a known key calls only its rate limiter", async () => {
    const world = new World();
    const customer = await world.customer();
    const forged = `${customer.key.slice(0, -1)}${customer.key.endsWith("a") ? "b" : "a"}`;
    const elsewhere = await mintKey({ current: "another deployment's secret" });
    for (const token of ["tdg_", "x", forged, elsewhere]) {
      const answer = await world.request("GET", "/api/v1/conversations", undefined, { token });
      expect(answer.status).toBe(401);
      expect(totalCost(answer)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    }
    const first = await ask(customer);
    expect(costOf(first, "kv")["reads"]).toBe(1);
    expect(costOf(first)["trips"]).toBe(1);
    const warm = await ask(customer);
    expect(costOf(warm, "kv")["reads"]).toBe(0);
    expect(costOf(warm, "do")["calls"]).toBe(1);
  });

  it("If KV has no record of an API key, or only a record that it does not exist, the key is read from D1 and cached in KV", async () => {
    const missing = override(env.CACHE, { get: () => Promise.resolve(null) });
    const world = new World({ CACHE: missing });
    const customer = await world.customer();
    const answer = await ask(customer);
    expect(answer.status).toBe(200);
    expect(costOf(answer)["trips"]).toBe(2);
    await env.CACHE.delete(`key:${await sha256Hex(customer.key)}`);
    forgetHeld(world);
    expect((await ask(customer)).status).toBe(200);
    expect(await env.CACHE.get(`key:${await sha256Hex(customer.key)}`)).toContain(customer.workspaceId);
  });

  it("A key is read from D1 if KV fails or contains an invalid record", async () => {
    for (const get of [() => Promise.reject(new Error("KV GET failed: 500")), () => Promise.resolve({ v: 0 })]) {
      const customer = await new World({ CACHE: override(env.CACHE, { get }) }).customer();
      expect((await ask(customer)).status).toBe(200);
    }
  });

  it("An API key is rejected as soon as the secret that signed it is no longer configured", async () => {
    const customer = await new World().customer();
    expect((await ask(customer)).status).toBe(200);
    const ENCRYPTION_KEY = newEncryptionKey();
    const ENCRYPTION_KEY_PREVIOUS = customer.world.env.ENCRYPTION_KEY;
    const withSecret = (secrets: Partial<Env>) =>
      new World(secrets).request("GET", "/api/v1/conversations", undefined, { token: customer.key });
    expect((await withSecret({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS })).status).toBe(200);
    expect((await withSecret({ ENCRYPTION_KEY })).status).toBe(401);
  });

  it("Only the hash of a key is stored", async () => {
    const cached: unknown[] = [];
    const put = (...entry: [string, string]) => {
      cached.push(entry);
      return env.CACHE.put(...entry);
    };
    const customer = await new World({ CACHE: override(env.CACHE, { put }) }).customer();
    expect((await ask(customer)).status).toBe(200);
    const rows = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(customer.keyId).all();
    expect(JSON.stringify(rows.results)).not.toContain(customer.key.slice(4, 36));
    expect(rows.results[0]?.["hash"]).toBe(await sha256Hex(customer.key));
    expect(cached.length).toBeGreaterThan(0);
    expect(JSON.stringify(cached)).not.toContain(customer.key.slice(4, 36));
  });

  it("Lookups of unknown keys are limited per address", async () => {
    const asked: string[] = [];
    const limit = ({ key }: { key: string }) => Promise.resolve({ success: asked.push(key) === 0 });
    const world = new World({ LOOKUP_LIMITER: { limit } });
    const token = await mintKey({ current: world.env.ENCRYPTION_KEY });
    const answer = await world.request("GET", "/api/v1/conversations", undefined, {
      token,
      headers: { "CF-Connecting-IP": "203.0.113.7" },
    });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toBe("60");
    expect(costOf(answer)["trips"]).toBe(0);
    expect(asked).toEqual(["203.0.113.7"]);
    const customer = await world.customer();
    expect((await ask(customer)).status).toBe(200);
  });
});

describe("Changes by management", () => {
  /** Tests a decision against outdated caches: first the isolate's cache, then a KV record from a minute ago. */
  async function decided(decide: (customer: Customer) => Promise<Answer>, key: object = {}): Promise<Customer[]> {
    const { cache, hold } = laggingCache();
    const world = new World({ CACHE: cache });
    const [isolate, kv] = [await world.customer({ key }), await world.customer({ key })];
    await ask(isolate);
    hold();
    for (const customer of [isolate, kv]) expect((await decide(customer)).status).toBe(200);
    return [isolate, kv];
  }

  it("A revoked key is rejected from the next request on, despite caches", async () => {
    for (const customer of await decided(revoke)) {
      expect(await ask(customer)).toMatchObject({ status: 401, body: { error: { message: /revoked/ } } });
      forgetHeld(customer.world);
      expect((await ask(customer)).status).toBe(401);
    }
  });

  it("A new plan applies to the next request", async () => {
    for (const customer of await decided((each) => setPlan(each, "free"))) {
      expect(await ask(customer)).toMatchObject({
        status: 402,
        body: { error: { code: "plan_required", details: null } },
      });
      expect((await setPlan(customer, "scale")).status).toBe(200);
      expect((await ask(customer)).headers.get("RateLimit-Policy")).toBe('"default";q=6000;w=60');
      await setPlan(customer, "growth");
      expect((await ask(customer)).headers.get("X-RateLimit-Limit")).toBe("600");
    }
  });

  it("A new rate limit applies from the next request, and counts the requests from before the change", async () => {
    const lower = { rate_limit: { requests: 2, window_seconds: 10 } };
    for (const customer of await decided((each) => patch(each, lower))) {
      await ask(customer);
      await ask(customer);
      expect((await ask(customer)).status).toBe(429);
      await patch(customer, { rate_limit: null });
      expect((await ask(customer)).headers.get("X-RateLimit-Limit")).toBe("600");
    }
  });

  it("A key that becomes read-only cannot write from the next request on", async () => {
    for (const customer of await decided((each) => patch(each, { read_only: true }))) {
      const answer = await customer.send(phoneEnding("1111"));
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden", details: null } } });
      expect((await ask(customer)).status).toBe(200);
      expect((await customer.call("OPTIONS", "/messages")).status).toBe(204);
      await patch(customer, { read_only: false });
      expect((await customer.send(phoneEnding("1111"))).status).toBe(202);
    }
  });

  it("An API key expires exactly at its expiry time", async () => {
    const soon = new Date(Date.now() + 5000).toISOString();
    for (const customer of await decided((each) => patch(each, { expires_at: soon }))) {
      customer.world.setTime(Date.parse(soon) - 1);
      expect((await ask(customer)).status).toBe(200);
      customer.world.setTime(Date.parse(soon));
      expect((await ask(customer)).status).toBe(401);
      expect((await patch(customer, { expires_at: null })).status).toBe(200);
      expect((await ask(customer)).status).toBe(200);
      customer.world.setTime(Date.parse(soon) - 5000);
    }
  });

  it("A request that finds an outdated record of its API key in the cache replaces the record from D1", async () => {
    const [customer] = await decided((each) => patch(each, { name: "Renamed" }));
    if (customer === undefined) throw new Error("No customer.");
    expect(costOf(await ask(customer))["trips"]).toBe(2);
    expect(costOf(await ask(customer))["trips"]).toBe(1);
  });
});
