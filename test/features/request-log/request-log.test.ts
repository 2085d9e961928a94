import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { RequestLog } from "../../../src/index.ts";
import { DAY_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { override } from "../../support/override.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const logged = async (customer: Customer, query = ""): Promise<Answer["body"][]> =>
  (await customer.manage("GET", `/requests${query}`)).body.requests;

const lines = (requests: Answer["body"][]) => requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

const stubOf = ({ workspaceId }: Customer) => env.REQUEST_LOG.getByName(workspaceId);

describe("Request log", () => {
  it("The request log contains each request of a key with its endpoint and result, newest first", async () => {
    const customer = await new World().customer();
    await customer.call("GET", "/contacts?search=Ada&limit=5", undefined, { headers: { "X-Request-Id": "mine" } });
    const { message_id } = (await customer.send(phoneEnding("1111"))).body;
    await customer.call("GET", `/messages/${message_id}`);
    const requests = await logged(customer);
    expect(lines(requests)).toEqual([
      `GET /api/v1/messages/${message_id} 200`,
      "POST /api/v1/messages 202",
      "GET /api/v1/contacts 200",
    ]);
    expect(requests[2]).toEqual({
      number: 1,
      created_at: new Date().toISOString(),
      key_id: customer.keyId,
      method: "GET",
      route: "/api/v1/contacts",
      path: "/api/v1/contacts",
      query: ["search", "limit"],
      status: 200,
      error_code: null,
      duration_ms: 0,
      request_id: "mine",
      repeats: 0,
    });
    expect(requests[0].route).toBe("/api/v1/messages/:id");
  });

  it("The request log contains requests that were rejected because of keys, limits, plans, input or paths", async () => {
    const world = new World();
    const customer = await world.customer({ key: { rate_limit: { requests: 2, window_seconds: 60 } } });
    await customer.call("POST", "/contacts", { phone: "none" });
    await customer.call("GET", "/contact/+14155550177");
    await customer.call("GET", "/tags");
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    await customer.call("GET", "/tags");
    const requests = await logged(customer);
    expect(requests.map(({ path, route, status, error_code }) => [path, route, status, error_code])).toEqual([
      ["/api/v1/tags", "/api/v1/tags", 401, "unauthorized"],
      ["/api/v1/tags", "/api/v1/tags", 429, "rate_limited"],
      ["/api/v1/contact/…", null, 404, "not_found"],
      ["/api/v1/contacts", "/api/v1/contacts", 400, "validation_failed"],
    ]);
    const free = await world.customer({ plan: "free" });
    await free.call("GET", "/tags");
    expect(await logged(free)).toMatchObject([{ status: 402, error_code: "plan_required" }]);
  });

  it("Repeated rate_limited responses share one entry in the request log, which counts the repeats", async () => {
    const customer = await new World().customer({ key: { rate_limit: { requests: 1, window_seconds: 60 } } });
    for (let count = 0; count < 5; count++) await customer.call("GET", "/tags");
    expect(await logged(customer)).toMatchObject([
      { status: 429, repeats: 3 },
      { status: 200, repeats: 0 },
    ]);
    const { usage } = (await customer.manage("GET", "/requests/usage")).body;
    expect(usage).toMatchObject([{ requests: 5, errors: 4 }]);
  });

  it("The request log contains tool calls, but no requests without a valid key", async () => {
    const customer = await new World().customer();
    const { world } = customer;
    await world.request("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }, { token: customer.key });
    await world.request("GET", "/api/v1/tags", undefined, { token: `tdg_${"a".repeat(38)}` });
    await world.request("GET", "/api/v1/tags");
    expect((await logged(customer)).map(({ route }) => route)).toEqual(["/mcp"]);
  });

  it("The request log contains no body, no query value and no secret", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/contacts", { phone: "+14155550177", name: "Ada Lovelace" });
    await customer.call("GET", `/contacts?search=${encodeURIComponent("Ada Lovelace")}`);
    await customer.call("GET", "/contacts/ada@example.com");
    await runDurableObjectAlarm(stubOf(customer));
    const kept = await runInDurableObject(stubOf(customer), async (_, { storage }) =>
      JSON.stringify([...(await storage.list()).values()]),
    );
    expect(kept).toContain("/api/v1/contacts");
    for (const secret of ["Ada", "ada@", "4155550177", customer.key]) expect(kept).not.toContain(secret);
  });

  it("The request log can be filtered and read page by page", async () => {
    const customer = await new World().customer();
    for (const path of ["/tags", "/nowhere", "/tags", "/contacts"]) await customer.call("GET", path);
    expect(lines(await logged(customer, "?status=4xx"))).toEqual(["GET /api/v1/nowhere 404"]);
    expect(lines(await logged(customer, "?status=200&path=/tags"))).toHaveLength(2);
    expect(await logged(customer, "?key_id=key_other")).toEqual([]);
    const first = (await customer.manage("GET", "/requests?limit=3")).body;
    expect(first.requests.map(({ number }: Answer["body"]) => number)).toEqual([4, 3, 2]);
    expect(lines(await logged(customer, `?limit=3&cursor=${first.next_cursor}`))).toEqual(["GET /api/v1/tags 200"]);
    expect((await customer.manage("GET", "/requests?status=abc")).status).toBe(400);
  });

  it("The request log contains no requests of other workspaces", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await theirs.call("GET", "/tags");
    expect(await logged(mine)).toEqual([]);
    const admin = await mine.member("admin");
    expect((await admin.request("GET", `/manage/v1/workspaces/${theirs.workspaceId}/requests`)).status).toBe(403);
    const agent = await mine.member("agent");
    expect((await agent.request("GET", `/manage/v1/workspaces/${mine.workspaceId}/requests`)).status).toBe(403);
  });

  it("The request log survives a restart of its object, and the object's alarm writes two values, however many requests are logged", async () => {
    const customer = await new World().customer();
    for (let i = 0; i < 5; i++) await customer.call("GET", "/tags");
    await runDurableObjectAlarm(stubOf(customer));
    const stored = await runInDurableObject(stubOf(customer), async (_, { storage }) => storage.list());
    expect([...stored.keys()]).toEqual(["requests", `usage:${new Date().toISOString().slice(0, 10)}`]);
    const revived = await runInDurableObject(stubOf(customer), async (_, state) => {
      const other = new RequestLog(state, env);
      await state.blockConcurrencyWhile(() => Promise.resolve());
      return other.list({}, 10);
    });
    expect(revived).toHaveLength(5);
  });

  it("If storing the request log fails at any step, the log is stored when the storage works again", async () => {
    const customer = await new World().customer();
    const stub = stubOf(customer);
    const failNext = (name: "put" | "setAlarm") =>
      runInDurableObject(stub, (_, { storage }) => {
        const call = storage[name];
        Reflect.set(storage, name, () => {
          Reflect.set(storage, name, call);
          return Promise.reject(new Error("storage"));
        });
      });
    await failNext("setAlarm");
    await customer.call("GET", "/tags");
    await customer.call("GET", "/contacts");
    await failNext("put");
    await runInDurableObject(stub, async (log) => {
      await expect(log.alarm()).rejects.toThrow("storage");
      await log.alarm();
    });
    const kept = await runInDurableObject(stub, async (_, { storage }) => storage.get<unknown[]>("requests"));
    expect(kept).toHaveLength(2);
    const { usage } = (await customer.manage("GET", "/requests/usage")).body;
    expect(usage).toMatchObject([{ requests: 2, errors: 0 }]);
  });

  it("The request log does not delay or change a response if its object fails", async () => {
    const failing = override(env.REQUEST_LOG, {
      getByName: () => ({
        add: () => Promise.reject(new Error("network")),
        list: () => Promise.reject(new Error()),
      }),
    });
    const customer = await new World({ REQUEST_LOG: failing }).customer();
    expect((await customer.call("GET", "/tags")).status).toBe(200);
    expect((await customer.manage("GET", "/requests")).body.error.code).toBe("unavailable");
    const silent = override(env.REQUEST_LOG, { getByName: () => ({ add: () => new Promise(() => {}) }) });
    const { world, key } = await new World({ REQUEST_LOG: silent }).customer();
    const answer = await world.secure("/api/v1/tags", { headers: { Authorization: `Bearer ${key}` } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { success: true }]);
  });
});

describe("Usage of keys", () => {
  it("The usage of keys counts requests and errors by day for ninety days", async () => {
    const customer = await new World().customer();
    const { world, keyId } = customer;
    const usage = async (query = "") => (await customer.manage("GET", `/requests/usage${query}`)).body.usage;
    const today = () => new Date().toISOString().slice(0, 10);
    const first = today();
    await customer.call("GET", "/tags");
    await customer.call("GET", "/nowhere");
    expect(await usage()).toEqual([{ date: first, key_id: keyId, requests: 2, errors: 1 }]);
    await stubOf(customer).add([], [{ day: first, keyId, requests: 5, errors: 3 }]);
    world.advance(DAY_MS);
    await customer.call("GET", "/tags");
    expect(await usage()).toEqual([
      { date: first, key_id: keyId, requests: 7, errors: 4 },
      { date: today(), key_id: keyId, requests: 1, errors: 0 },
    ]);
    expect(await usage("?days=1")).toHaveLength(1);
    world.advance(DAY_MS);
    expect(await usage("?days=1")).toEqual([]);
    expect(await usage("?days=2")).toHaveLength(1);
    world.advance(100 * DAY_MS);
    await customer.call("GET", "/tags");
    const stored = await runInDurableObject(stubOf(customer), async (_, { storage }) =>
      storage.list({ prefix: "usage:" }),
    );
    expect(stored.size).toBe(0);
    expect(await usage("?days=90")).toHaveLength(1);
  });
});
