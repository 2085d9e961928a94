import { beforeEach, describe, expect, it, vi } from "vitest";
import { Customer, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T10:00:00Z") });
});

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}/settings/api-keys` };
}

const valueOf = (page: string, id: string): string =>
  new RegExp(`<(?:input|textarea) id="${id}"[^>]*?(?: value="|>)([^"<]*)`).exec(page)?.[1] ?? "";

describe("API keys", () => {
  it("A new API key is shown once, with a command that works, and appears in the list", async () => {
    const { customer, admin, at } = await visit();
    const made = await admin.post(`${at}/new`, { name: "Web shop", connection_id: customer.connectionId });
    expect(made.status).toBe(200);
    const key = valueOf(made.body, "api-key");
    expect(key).toMatch(/^\S{20,}$/);
    const curl = made.body.slice(made.body.indexOf('id="curl"'));
    expect(curl).toContain(`Bearer ${key}`);
    expect(curl).toContain("/api/v1/messages");
    expect((await customer.call("GET", "/tags", undefined, { token: key })).status).toBe(200);

    const list = await admin.get(at);
    expect(list.body).toContain("Web shop");
    expect(list.body).toContain(key.slice(-4));
    expect(list.body).not.toContain(key);
  });

  it("If the API key form is sent again within a day, it shows the same key", async () => {
    const { customer, admin, at } = await visit();
    const fields = {
      name: "Web shop",
      connection_id: customer.connectionId,
      once: "form_01arz3ndektsv4rrffq69g5fav",
    };
    const made = await Promise.all([admin.post(`${at}/new`, fields), admin.post(`${at}/new`, fields)]);
    const again = await admin.post(`${at}/new`, fields);
    const [key, ...others] = [...made, again].map(({ body }) => valueOf(body, "api-key"));
    expect(others).toEqual([key, key]);
    expect((await customer.call("GET", "/tags", undefined, { token: key ?? "" })).status).toBe(200);
    const named = await admin.post(`${at}/new`, { ...fields, name: "Reports" });
    expect(valueOf(named.body, "api-key")).not.toBe(key);
    const { api_keys } = (await customer.manage("GET", "/api-keys")).body;
    expect(api_keys.filter(({ name }: { name: string }) => name === "Web shop")).toHaveLength(1);
    const { events } = (await customer.call("GET", "/events?types=api_key.created")).body;
    expect(events.filter((event: object) => JSON.stringify(event).includes("Web shop"))).toHaveLength(1);
    customer.world.setTime(Date.parse("2026-11-21T10:00:00Z"));
    const late = await admin.post(`${at}/new`, fields);
    expect([late.status, late.body.includes(key ?? "none")]).toEqual([409, false]);
  });

  it("An API key can have an expiry date, a rate limit and read-only access", async () => {
    const { customer, admin, at } = await visit();
    await admin.post(`${at}/new`, {
      name: "Reports",
      connection_id: customer.connectionId,
      read_only: "true",
      expires_at: "2026-11-22",
      "rate_limit.requests": "5",
      "rate_limit.window_seconds": "10",
    });
    const { api_keys } = (await customer.manage("GET", "/api-keys")).body;
    expect(api_keys).toContainEqual(
      expect.objectContaining({
        name: "Reports",
        read_only: true,
        expires_at: "2026-11-22T23:59:59.999Z",
        rate_limit: { requests: 5, window_seconds: 10 },
      }),
    );
    const list = await admin.get(at);
    expect(list.body).toContain("Read-only");
    expect(list.body).toContain("5 requests in 10 s");
    expect(list.body).toContain("22 Nov 2026");
    customer.world.setTime(Date.parse("2026-11-23T00:00:00Z"));
    expect((await admin.get(at)).body).toContain(">Expired<");
  });

  it.each([
    [{ name: "" }, "name", "This field is required."],
    [{ connection_id: "conn_of_somebody_else" }, null, "No such connection."],
    [{ expires_at: "2026-11-19" }, "expires_at", "Must be in the future."],
    [{ expires_at: "tomorrow" }, "expires_at", "Must be a date and time"],
    [{ "rate_limit.requests": "many", "rate_limit.window_seconds": "1" }, "rate_limit-requests", "Must be a number."],
    [{ "rate_limit.requests": "5" }, "rate_limit-window_seconds", "This field is required."],
    [
      { "rate_limit.requests": "900", "rate_limit.window_seconds": "1" },
      "rate_limit-requests",
      "Must allow at most 500 requests",
    ],
  ])("The API key form shows the error %o next to %s and keeps the input", async (fields, field, said) => {
    const { customer, admin, at } = await visit();
    const sent = {
      name: "Kept",
      connection_id: customer.connectionId,
      "rate_limit.requests": "",
      "rate_limit.window_seconds": "",
      ...fields,
    };
    const refused = await admin.post(`${at}/new`, sent);
    expect(refused.status).toBe(field === null ? 404 : 400);
    const place = field === null ? 'role="alert"' : `id="field-${field}-fault"`;
    expect(refused.body.slice(refused.body.indexOf(place)).slice(0, 200)).toContain(said);
    expect(refused.body).toContain(place);
    if (sent.name !== "") expect(refused.body).toContain('value="Kept"');
    expect((await customer.manage("GET", "/api-keys")).body.api_keys).toHaveLength(1);
  });

  it("A change to an API key applies from the next request", async () => {
    const { customer, admin, at } = await visit();
    const page = await admin.get(`${at}/${customer.keyId}`);
    expect(page.body).toContain('value="Test"');
    expect(page.body).toContain(`/settings/requests?key_id=${customer.keyId}`);
    const change = {
      name: "Reports",
      read_only: "true",
      expires_at: "2026-11-22",
      "rate_limit.requests": "5",
      "rate_limit.window_seconds": "10",
    };
    const saved = await admin.post(`${at}/${customer.keyId}`, change);
    expect(saved.headers.get("Location")).toBe(at);
    expect((await customer.call("POST", "/tags", { name: "VIP" })).status).toBe(403);
    expect((await customer.call("GET", "/tags")).headers.get("X-RateLimit-Limit")).toBe("5");
    const again = await admin.get(`${at}/${customer.keyId}`);
    for (const shown of ['value="Reports"', 'value="2026-11-22"', 'value="5"', 'value="10"', " checked"])
      expect(again.body).toContain(shown);
    await admin.post(`${at}/${customer.keyId}`, {
      name: "Free again",
      read_only: "",
      expires_at: "",
      "rate_limit.requests": "",
      "rate_limit.window_seconds": "",
    });
    expect((await customer.manage("GET", `/api-keys/${customer.keyId}`)).body.api_key).toMatchObject({
      name: "Free again",
      read_only: false,
      expires_at: null,
      rate_limit: null,
    });
  });

  it("The API key form shows errors, and rejects a revoked key and another workspace's key", async () => {
    const { customer, admin, at } = await visit();
    const refused = await admin.post(`${at}/${customer.keyId}`, { name: "Kept", expires_at: "2026-11-19" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("Must be in the future.");
    expect(refused.body).toContain('value="Kept"');
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await admin.get(`${at}/${customer.keyId}`)).body).toContain("This key was revoked");
    expect((await admin.post(`${at}/${customer.keyId}`, { name: "Back" })).status).toBe(409);
    const other = await new World().customer();
    expect((await admin.get(`${at}/${other.keyId}`)).status).toBe(404);
    expect((await admin.post(`${at}/${other.keyId}`, { name: "Mine" })).status).toBe(404);
  });

  it("A revoked API key is rejected", async () => {
    const { customer, admin, at } = await visit();
    expect((await customer.call("GET", "/tags")).status).toBe(200);
    const sent = await admin.post(`${at}/${customer.keyId}/revoke`);
    expect(sent.headers.get("Location")).toBe(at);
    const list = await admin.get(at);
    expect(list.body).toContain("Test revoked.");
    expect(list.body).toContain(">Revoked<");
    expect((await customer.call("GET", "/tags")).status).toBe(401);
  });

  it("The list of API keys and the form show the rate limit of the plan", async () => {
    const { customer, admin, at } = await visit();
    expect((await admin.get(at)).body).toContain("600 requests in 60 s (plan)");
    expect((await admin.get(`${at}/new`)).body).toContain("limit: 600 requests in 60 s.");
    await customer.manage("PATCH", "", { plan: "scale" });
    expect((await admin.get(at)).body).toContain("6,000 requests in 60 s (plan)");
    await customer.manage("PATCH", "", { plan: "free" });
    expect((await admin.get(at)).body).toContain("Not in your plan");
  });

  it("The API key pages explain the free plan and a missing connection", async () => {
    const world = new World();
    const { id } = (await world.manage("POST", "/workspaces", { name: "New", plan: "free" })).body.workspace;
    const admin = await new Customer(world, id, "", "", "").member("admin");
    const at = `/console/${id}/settings/api-keys`;
    const list = await admin.get(at);
    expect(list.body).toContain("No API keys yet");
    expect(list.body).toContain("The free plan doesn&#39;t include the API");
    expect((await admin.get(`${at}/new`)).body).toContain("Create a connection first");
  });
});
