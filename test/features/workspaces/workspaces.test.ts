import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, World } from "../../support/world.ts";

beforeEach(stopClock);

const codes = ({ body }: Answer) =>
  Object.fromEntries(body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]));

describe("Operator's token", () => {
  it("Only the operator's token opens the management API", async () => {
    const world = new World();
    const customer = await world.customer();
    expect((await world.manage("GET", "/workspaces?limit=1")).status).toBe(200);
    for (const [token, message] of [
      [null, /Send the operator's token/],
      ["wrong", /operator's token is not valid/],
      [`${world.env.ADMIN_TOKEN}x`, /operator's token is not valid/],
      [world.env.ADMIN_TOKEN.toUpperCase(), /operator's token is not valid/],
      [customer.key, /operator's token is not valid/],
    ] as const) {
      const answer = await world.manage("GET", "/workspaces", undefined, { token });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized", details: null } } });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(answer.body.error.message).toMatch(message);
    }
    const basic = await world.request("GET", "/manage/v1/workspaces", undefined, {
      headers: { Authorization: `Basic ${world.env.ADMIN_TOKEN}` },
    });
    expect(basic.status).toBe(401);
  });

  it("Nobody can use the management API while ADMIN_TOKEN is not set", async () => {
    const empty = new World({ ADMIN_TOKEN: "" });
    const unset = new World();
    Reflect.deleteProperty(unset.env, "ADMIN_TOKEN");
    for (const world of [empty, unset]) {
      for (const Authorization of ["Bearer ", "Bearer undefined", "Bearer x", ""]) {
        const answer = await world.request("GET", "/manage/v1/workspaces", undefined, { headers: { Authorization } });
        expect(answer.status, Authorization).toBe(401);
      }
    }
  });
});

describe("Workspaces", () => {
  it("A new workspace has the requested plan, or `growth` if no plan is sent", async () => {
    const world = new World();
    const created = await world.manage("POST", "/workspaces", { name: " Acme & Söhne " });
    expect(created.status).toBe(201);
    const { workspace } = created.body;
    expect(workspace).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
      name: "Acme & Söhne",
      plan: "growth",
      time_zone: "UTC",
      first_steps_hidden: false,
      created_at: new Date().toISOString(),
    });
    expect((await world.manage("GET", `/workspaces/${workspace.id}`)).body).toEqual({ success: true, workspace });
    expect((await world.manage("POST", "/workspaces", { name: "B", plan: "free" })).body.workspace.plan).toBe("free");
  });

  it("Creating a workspace reports all errors at once", async () => {
    const world = new World();
    expect(codes(await world.manage("POST", "/workspaces", {}))).toEqual({ name: "required" });
    const wrong = await world.manage("POST", "/workspaces", { name: "", plan: "gold", owner: "me" });
    expect(codes(wrong)).toEqual({ name: "too_small", plan: "invalid_value", owner: "unknown_field" });
    expect(codes(await world.manage("POST", "/workspaces", { name: 1, plan: null }))).toEqual({
      name: "invalid_type",
      plan: "invalid_value",
    });
  });

  it("An update to a workspace changes only the sent fields", async () => {
    const world = new World();
    const { workspace } = (await world.manage("POST", "/workspaces", { name: "Acme" })).body;
    const patch = async (change: object) => (await world.manage("PATCH", `/workspaces/${workspace.id}`, change)).body;
    expect((await patch({ plan: "scale" })).workspace).toEqual({ ...workspace, plan: "scale" });
    expect((await patch({ name: "Best" })).workspace).toEqual({ ...workspace, name: "Best", plan: "scale" });
    const hidden = (await patch({ first_steps_hidden: true })).workspace;
    expect(hidden).toEqual({ ...workspace, name: "Best", plan: "scale", first_steps_hidden: true });
    expect((await patch({})).workspace).toEqual(hidden);
    expect((await patch({ first_steps_hidden: false })).workspace.first_steps_hidden).toBe(false);
    expect((await patch({ name: null })).error.code).toBe("validation_failed");
  });

  it("A workspace requires a known time zone", async () => {
    const world = new World();
    const made = await world.manage("POST", "/workspaces", { name: "Acme", time_zone: "Asia/Kathmandu" });
    const { workspace } = made.body;
    expect(workspace.time_zone).toBe("Asia/Kathmandu");
    const patch = (time_zone: unknown) => world.manage("PATCH", `/workspaces/${workspace.id}`, { time_zone });
    expect((await patch("Europe/Berlin")).body.workspace.time_zone).toBe("Europe/Berlin");
    for (const [sent, stored] of [
      ["europe/berlin", "Europe/Berlin"],
      ["ASIA/CALCUTTA", "Asia/Kolkata"],
      ["Africa/dar_es_salaam", "Africa/Dar_es_Salaam"],
      [" utc ", "UTC"],
      ["US/Pacific", "US/Pacific"],
    ] as const)
      expect((await patch(sent)).body.workspace.time_zone).toBe(stored);
    const typed = await world.manage("POST", "/workspaces", { name: "Acme", time_zone: "europe/kiev" });
    expect(typed.body.workspace.time_zone).toBe("Europe/Kyiv");
    for (const wrong of ["Berlin", "+01:00", "", "europe", "a".repeat(65)])
      expect(codes(await patch(wrong)), wrong).toEqual({ time_zone: expect.stringMatching(/invalid_value|too_big/) });
    expect(codes(await patch(null))).toEqual({ time_zone: "invalid_type" });
  });

  it("A new plan is published to every key before the response", async () => {
    const world = new World();
    const customer = await world.customer();
    const tokens = [customer.key];
    for (let index = 0; index < 8; index++) {
      const key = { name: `Key ${index}`, connection_id: customer.connectionId };
      tokens.push((await customer.manage("POST", "/api-keys", key)).body.key);
    }
    await customer.manage("PATCH", "", { plan: "free" });
    for (const token of tokens)
      expect((await customer.call("GET", "/conversations", undefined, { token })).status).toBe(402);
    await customer.manage("PATCH", "", { plan: "growth" });
    for (const token of tokens)
      expect((await customer.call("GET", "/conversations", undefined, { token })).status).toBe(200);
  });

  it("Every request about an unknown workspace returns 404", async () => {
    const world = new World();
    const connection = { name: "A", channel: "official", provider: "sandbox", config: {} };
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "A" }],
      ["GET", "/connections", undefined],
      ["POST", "/connections", connection],
      ["GET", "/connections/conn_any", undefined],
      ["DELETE", "/connections/conn_any", undefined],
      ["GET", "/api-keys", undefined],
      ["POST", "/api-keys", { name: "A", connection_id: "conn_any" }],
    ] as const) {
      const answer = await world.manage(method, `/workspaces/ws_unknown${path}`, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
  });

  it("Workspaces are listed newest first in pages without repeats", async () => {
    const world = new World();
    const names = ["One", "Two", "Three", "Four", "Five"].map((name) => `${name} ${crypto.randomUUID()}`);
    for (const name of names) {
      world.advance(1);
      await world.manage("POST", "/workspaces", { name });
    }
    const first = (await world.manage("GET", "/workspaces?limit=3")).body;
    const second = (await world.manage("GET", `/workspaces?limit=2&cursor=${first.next_cursor}`)).body;
    const listed = [...first.workspaces, ...second.workspaces].map(({ name }) => name);
    expect(listed).toEqual(names.toReversed());
    for (const query of ["limit=0", "limit=101", "limit=abc", "cursor=abc", "cursor=", "plan=free", "offset=1"]) {
      expect((await world.manage("GET", `/workspaces?${query}`)).status, query).toBe(400);
    }
  });

  it("New workspaces alternate between shards, and no workspace sees another", async () => {
    const world = new World();
    const [first, second] = [await world.customer(), await world.customer()];
    for (const [mine, theirs] of [
      [first, second],
      [second, first],
    ] as const) {
      expect((await mine.manage("GET", "/connections")).body.connections).toHaveLength(1);
      expect((await mine.manage("GET", `/connections/${theirs.connectionId}`)).status).toBe(404);
    }
  });
});
