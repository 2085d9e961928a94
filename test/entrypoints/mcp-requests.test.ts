import { beforeAll, describe, expect, it } from "vitest";
import { ACCEPT, askMcp, callTool } from "../support/mcp.ts";
import { type Customer, World } from "../support/world.ts";

let customer: Customer;

beforeAll(async () => {
  customer = await new World().customer();
});

const list = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} });

describe("Requests to /mcp", () => {
  it.each(["GET", "DELETE", "PUT"])("A %s request to /mcp returns 405 with the allowed methods", async (method) => {
    const { status, headers, body } = await customer.world.request(method, "/mcp", undefined, { token: customer.key });
    expect([status, headers.get("Allow"), body.error.code]).toEqual([405, "POST, OPTIONS", "method_not_allowed"]);
  });

  it.each([
    ["none", null],
    ["a forged one", `tdg_${"a".repeat(38)}`],
    ["the operator's token", "test-admin-token"],
  ])("A request to /mcp with %s as its key returns 401", async (_, token) => {
    const { status, headers, body } = await askMcp(customer, "tools/list", {}, { token });
    expect([status, headers.get("WWW-Authenticate"), body.error.code]).toEqual([401, "Bearer", "unauthorized"]);
  });

  it("A request to /mcp is rejected if the key is revoked or the plan has no API", async () => {
    const gone = await customer.world.customer();
    await gone.manage("POST", `/api-keys/${gone.keyId}/revoke`);
    expect((await askMcp(gone, "tools/list")).status).toBe(401);
    const free = await customer.world.customer({ plan: "free" });
    const { status, body } = await askMcp(free, "tools/list");
    expect([status, body.error.code]).toEqual([402, "plan_required"]);
  });

  it.each([
    "https://evil.example",
    "http://tidings.test",
    "null",
    "",
    "https://tidings.test.evil.example",
    "http://localhost:6274",
  ])("A request to /mcp from origin %j is rejected before its key is checked", async (origin) => {
    const { status, body } = await askMcp(customer, "tools/list", {}, { token: null, headers: { Origin: origin } });
    expect([status, body.error.code]).toEqual([403, "forbidden"]);
  });

  it("A request to /mcp from a page of Tidings is served", async () => {
    const headers = { Origin: "https://tidings.test" };
    expect((await askMcp(customer, "tools/list", {}, { headers })).status).toBe(200);
  });

  it.each([
    ["two calls", [list(1), list(2)]],
    ["one call", [list(1)]],
    ["two calls of one id", [list(1), list(1)]],
    ["nothing", []],
  ])("A batch of %s to /mcp is rejected", async (_, batch) => {
    const { status, body } = await askMcp(customer, "", {}, { raw: JSON.stringify(batch) });
    expect([status, body.error]).toEqual([
      400,
      { code: -32_600, message: "Send one message per request; batches are not supported." },
    ]);
  });

  it.each(["", "{", "null", "7", '"text"'])("/mcp rejects the body %j with a parse error", async (raw) => {
    const { status, body } = await askMcp(customer, "", {}, { raw });
    expect([status, body.error.code]).toEqual([400, -32_700]);
  });

  it.each([
    {},
    { jsonrpc: "1.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: {}, method: "tools/list" },
    { jsonrpc: "2.0", id: 1, method: "__proto__" },
  ])("/mcp rejects the body %j, which is not a valid message of the MCP protocol", async (message) => {
    const { status, body } = await askMcp(customer, "", {}, { raw: JSON.stringify(message) });
    expect(status).toBeLessThan(500);
    expect(body.result).toBeUndefined();
    expect(body.error.code).toBeLessThan(0);
  });

  it("/mcp accepts a notification, and a tool call without an id has no effect", async () => {
    const taken = await askMcp(customer, "", {}, { raw: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    expect([taken.status, taken.body]).toEqual([202, ""]);
    const call = {
      jsonrpc: "2.0",
      method: "tools/call",
      params: { name: "contacts_upsert", arguments: { phone: "+14155557009" } },
    };
    expect((await askMcp(customer, "", {}, { raw: JSON.stringify(call) })).status).toBe(202);
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });

  it("A client that tries to subscribe at /mcp gets an error immediately", async () => {
    const params = { notifications: { toolsListChanged: true } };
    const { body } = await askMcp(customer, "subscriptions/listen", params, { age: "newer" });
    expect(body.error.message).toBe("Subscription limit reached");
  });

  it("/mcp rejects a body that is not UTF-8, and stores nothing", async () => {
    const args = { phone: "+14155557009", name: "a%b" };
    const text = JSON.stringify({
      ...list(1),
      method: "tools/call",
      params: { name: "contacts_upsert", arguments: args },
    });
    const raw = new TextEncoder().encode(text).map((byte) => (byte === "%".charCodeAt(0) ? 0xff : byte));
    const headers = { ...ACCEPT, "Content-Type": "application/json" };
    const { status, body } = await customer.world.request("POST", "/mcp", undefined, {
      token: customer.key,
      headers,
      raw,
    });
    expect([status, body.error.code]).toEqual([400, -32_700]);
    expect((await customer.call("GET", "/contacts?search=4155557009")).body.contacts).toEqual([]);
  });

  it("/mcp checks the key before the size of the body", async () => {
    const raw = JSON.stringify({ ...list(1), params: { text: "x".repeat(1_100_000) } });
    expect((await askMcp(customer, "", {}, { raw, token: null })).status).toBe(401);
  });

  it("/mcp rejects all types except JSON", async () => {
    const headers = { "Content-Type": "text/plain" };
    expect((await askMcp(customer, "tools/list", {}, { headers })).status).toBe(415);
  });

  it("/mcp accepts 1 MB and rejects larger bodies, regardless of Content-Length", async () => {
    const text = "x".repeat(1_040_000);
    const { answer } = await callTool(customer, "messages_send", { to: "+14155557000", text });
    expect(answer.error.code).toBe("validation_failed");
    const id = await callTool(customer, "contacts_get", { id: text });
    expect(id.answer.error.code).toBe("validation_failed");
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, 1]));
    expect((await callTool(customer, "contacts_list", many)).answer.error.code).toBe("validation_failed");
    const over = JSON.stringify({ ...list(1), params: { text: "x".repeat(1_100_000) } });
    expect((await askMcp(customer, "", {}, { raw: over })).status).toBe(413);
    const body = new Blob([over]).stream();
    const headers = { ...ACCEPT, "Content-Type": "application/json" };
    const streamed = await customer.world.request("POST", "/mcp", undefined, {
      token: customer.key,
      headers,
      raw: body,
    });
    expect(streamed.status).toBe(413);
  });

  it("/mcp rejects arguments that are nested 400,000 levels deep", async () => {
    const deep = `${"[".repeat(400_000)}${"]".repeat(400_000)}`;
    const raw = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"contacts_upsert","arguments":{"phone":${deep}}}}`;
    const { status, body } = await askMcp(customer, "", {}, { raw });
    expect(status).toBeLessThan(500);
    expect(body.result?.isError ?? body.error !== undefined).toBe(true);
  });
});
