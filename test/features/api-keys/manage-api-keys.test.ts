import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { newEncryptionKey } from "../../support/encryption-keys.ts";
import { type Answer, Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const codes = ({ body }: Answer) =>
  Object.fromEntries(body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]));

const ask = (customer: Customer) => customer.call("GET", "/conversations");

describe("Management of API keys", () => {
  it("A new API key belongs to one connection, and only its creation returns the secret value", async () => {
    const customer = await new World().customer();
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const created = await customer.manage("POST", "/api-keys", {
      name: " Shop ",
      connection_id: customer.connectionId,
      expires_at: expires,
      read_only: true,
      rate_limit: { requests: 500, window_seconds: 1 },
    });
    expect(created.status).toBe(201);
    expect(created.body.key).toMatch(/^tdg_[0-9A-Za-z]{38}$/);
    const apiKey = {
      id: created.body.api_key.id,
      name: "Shop",
      connection_id: customer.connectionId,
      last_four: created.body.key.slice(-4),
      expires_at: expires,
      read_only: true,
      rate_limit: { requests: 500, window_seconds: 1 },
      created_at: new Date().toISOString(),
      last_used_at: null,
      revoked_at: null,
    };
    expect(created.body.api_key).toEqual(apiKey);
    expect(apiKey.id).toMatch(/^key_[0-9a-z]{26}$/);
    expect((await customer.manage("GET", `/api-keys/${apiKey.id}`)).body).toEqual({ success: true, api_key: apiKey });
  });

  it("An API key has its plan's rate limit unless it has its own rate limit", async () => {
    const world = new World();
    for (const [plan, limit] of [
      ["growth", "600"],
      ["scale", "6000"],
    ] as const) {
      const customer = await world.customer({ plan });
      expect((await ask(customer)).headers.get("X-RateLimit-Limit")).toBe(limit);
      expect((await customer.manage("GET", `/api-keys/${customer.keyId}`)).body.api_key.rate_limit).toBeNull();
    }
    const own = await world.customer({ plan: "scale", key: { rate_limit: { requests: 7, window_seconds: 3600 } } });
    expect((await ask(own)).headers.get("RateLimit-Policy")).toBe('"default";q=7;w=3600');
    const free = await world.customer({ plan: "free", key: { rate_limit: { requests: 7, window_seconds: 3600 } } });
    expect((await ask(free)).status).toBe(402);
  });

  it("Creating an API key reports all errors at once", async () => {
    const customer = await new World().customer();
    const create = (body: object) => customer.manage("POST", "/api-keys", body);
    expect(codes(await create({}))).toEqual({ name: "required", connection_id: "required" });
    const wrong = await create({
      name: "x".repeat(121),
      connection_id: null,
      expires_at: "2026-12-01",
      read_only: "yes",
      rate_limit: { requests: 0, window_seconds: 3601, burst: 1 },
      scopes: [],
    });
    expect(Object.keys(codes(wrong)).toSorted()).toEqual([
      "connection_id",
      "expires_at",
      "name",
      "rate_limit.burst",
      "rate_limit.requests",
      "rate_limit.window_seconds",
      "read_only",
      "scopes",
    ]);
    const base = { name: "A", connection_id: customer.connectionId };
    expect(codes(await create({ ...base, rate_limit: { requests: 501, window_seconds: 1 } }))).toEqual({
      rate_limit: "too_big",
    });
    expect(codes(await create({ ...base, rate_limit: { requests: 10_001, window_seconds: 3600 } }))).toEqual({
      "rate_limit.requests": "too_big",
    });
    expect(codes(await create({ ...base, expires_at: new Date().toISOString() }))).toEqual({ expires_at: "too_small" });
    expect((await create({ ...base, expires_at: null, rate_limit: null })).status).toBe(201);
  });

  it("An API key cannot use a connection of another workspace", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    for (const connection_id of [other.connectionId, "conn_unknown", customer.keyId]) {
      const answer = await customer.manage("POST", "/api-keys", { name: "A", connection_id });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found", details: null } } });
    }
    const moved = await customer.manage("PATCH", `/api-keys/${customer.keyId}`, { connection_id: other.connectionId });
    expect(codes(moved)).toEqual({ connection_id: "unknown_field" });
  });

  it("An API key of another workspace returns 404", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "Mine" }],
      ["POST", "/revoke", undefined],
    ] as const) {
      const theirs = await customer.manage(method, `/api-keys/${other.keyId}${path}`, body);
      const unknown = await customer.manage(method, `/api-keys/key_unknown${path}`, body);
      expect([theirs.status, theirs.body.error]).toEqual([unknown.status, unknown.body.error]);
      expect(theirs.status).toBe(404);
    }
    expect((await ask(other)).status).toBe(200);
  });

  it("An API key stays revoked: a second revocation succeeds, and other changes fail", async () => {
    const customer = await new World().customer();
    const at = new Date().toISOString();
    expect((await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`)).body.api_key.revoked_at).toBe(at);
    customer.world.advance(5000);
    const again = await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect([again.status, again.body.api_key.revoked_at]).toEqual([200, at]);
    const changed = await customer.manage("PATCH", `/api-keys/${customer.keyId}`, { name: "Back" });
    expect(changed).toMatchObject({
      status: 409,
      body: { error: { code: "invalid_state", details: { status: "revoked" } } },
    });
  });

  it("An update to an API key changes only the sent fields", async () => {
    const customer = await new World().customer({ key: { rate_limit: { requests: 9, window_seconds: 9 } } });
    const patch = async (change: object) =>
      (await customer.manage("PATCH", `/api-keys/${customer.keyId}`, change)).body.api_key;
    const before = await patch({});
    expect(await patch({ name: "New" })).toEqual({ ...before, name: "New" });
    expect(await patch({ read_only: true })).toEqual({ ...before, name: "New", read_only: true });
    const [limit, name] = await Promise.all([patch({ rate_limit: null }), patch({ name: "Newer" })]);
    expect([limit.id, name.id]).toEqual([before.id, before.id]);
    expect(await patch({})).toEqual({ ...before, name: "Newer", read_only: true, rate_limit: null });
    expect((await ask(customer)).headers.get("X-RateLimit-Limit")).toBe("600");
  });

  it("API keys are listed newest first in pages without repeats", async () => {
    const customer = await new World().customer();
    const names = ["Test", "A", "B", "C", "D"];
    for (const name of names.slice(1)) {
      customer.world.advance(1);
      await customer.manage("POST", "/api-keys", { name, connection_id: customer.connectionId });
    }
    const seen: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await customer.manage("GET", `/api-keys?limit=2${cursor}`);
      seen.push(...body.api_keys.map(({ name }: { name: string }) => name));
      cursor = `&cursor=${body.next_cursor}`;
      expect(body.next_cursor === null).toBe(pages === 2);
    }
    expect(seen).toEqual(names.toReversed());
  });
});

describe("ENCRYPTION_KEY", () => {
  it("Earlier API keys and connection secrets keep working after a rotation of ENCRYPTION_KEY", async () => {
    const old = new World();
    const customer = await old.customer();
    const waha = {
      base_url: "https://waha.test",
      session: "main",
      api_key: "first-api-key",
      webhook_hmac_key: "hmac-key-1",
    };
    const { connection } = (
      await customer.manage("POST", "/connections", {
        name: "W",
        channel: "unofficial",
        provider: "waha",
        config: waha,
      })
    ).body;
    const key = newEncryptionKey();
    const rotated = new World({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: old.env.ENCRYPTION_KEY });
    const same = new Customer(rotated, customer.workspaceId, customer.connectionId, customer.keyId, customer.key);
    expect((await ask(same)).status).toBe(200);
    const patched = await same.manage("PATCH", `/connections/${connection.id}`, {
      config: { api_key: "second-api-key" },
    });
    expect(patched.body.connection.config).toMatchObject({ api_key: "•••• -key", webhook_hmac_key: "•••• ey-1" });
    const made = await same.manage("POST", "/api-keys", { name: "New", connection_id: customer.connectionId });
    const fresh = new Customer(rotated, customer.workspaceId, customer.connectionId, "", made.body.key);
    expect((await ask(fresh)).status).toBe(200);
    const done = new World({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: "" });
    const ended = await done.request("GET", "/api/v1/conversations", undefined, { token: customer.key });
    expect(ended.status).toBe(401);
  });
});
