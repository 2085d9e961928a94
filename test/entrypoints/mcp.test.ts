import { beforeAll, describe, expect, it } from "vitest";
import { publicEndpoints } from "../support/surfaces.ts";
import { answerOf, askMcp, callTool } from "../support/mcp.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

let customer: Customer;
let reader: Customer;

beforeAll(async () => {
  const world = new World();
  customer = await world.customer();
  reader = await world.customer({ key: { read_only: true } });
});

const listTools = async (who: Customer): Promise<Answer["body"][]> =>
  (await askMcp(who, "tools/list")).body.result.tools;
const namesOf = (tools: { name: string }[]) => tools.map(({ name }) => name);

const WRITES = [
  "campaigns_cancel",
  "campaigns_pause",
  "campaigns_start",
  "contacts_upsert",
  "conversations_reply",
  "messages_send",
  "templates_send",
];

describe("Tools at /mcp", () => {
  it("/mcp lists all reads and the permitted writes as tools, with the names of their operations", async () => {
    const tools = await listTools(customer);
    const operations = new Set(publicEndpoints.map(({ name }) => name.replaceAll(".", "_")));
    expect(namesOf(tools).filter((name) => !operations.has(name))).toEqual([]);
    const writes = tools.filter(({ annotations }) => annotations.readOnlyHint === false);
    expect(namesOf(writes).toSorted()).toEqual(WRITES);
    expect(namesOf(tools)).toEqual(
      expect.arrayContaining(["contacts_list", "conversations_messages", "campaigns_preview", "events_list"]),
    );
  });

  it("MCP tools have flat schemas without references or name clashes, and hints for clients", async () => {
    const tools = await listTools(customer);
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect(JSON.stringify(inputSchema), name).not.toContain("$ref");
      expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(description.length, name).toBeGreaterThan(title.length);
      expect(annotations, name).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      // A token works once, so that it replaces an idempotency key.
      const takesKey = WRITES.includes(name) && name !== "campaigns_start";
      expect(Object.hasOwn(inputSchema.properties, "idempotency_key"), name).toBe(takesKey);
    }
    for (const { path, query, body } of publicEndpoints.filter(({ tool }) => tool !== undefined)) {
      const params = path
        .split("/")
        .filter((part) => part.startsWith(":"))
        .map((part) => part.slice(1));
      const fields = [query, body].flatMap((schema) => Object.keys(Reflect.get(schema ?? {}, "shape") ?? {}));
      const names = [...params, ...fields, "idempotency_key"];
      expect(names, path).toEqual([...new Set(names)]);
    }
    // A model reads all tools before its first call.
    expect(JSON.stringify(tools).length).toBeLessThan(60_000);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get("campaigns_start").description).toContain("campaigns_get");
    expect(byName.get("campaigns_start").inputSchema.required).toContain("audience_token");
    expect(byName.get("campaigns_start").annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
    expect(byName.get("contacts_list").inputSchema.properties.limit).toMatchObject({ type: "integer", maximum: 100 });
  });

  it("A read-only key can see and call only reading tools", async () => {
    expect(namesOf(await listTools(reader)).filter((name) => WRITES.includes(name))).toEqual([]);
    expect(namesOf(await listTools(reader))).toContain("campaigns_preview");
    for (const name of WRITES) {
      const { isError, answer } = await callTool(
        reader,
        name,
        name === "campaigns_start" ? { audience_token: "x" } : { id: "x" },
      );
      expect([name, isError, answer.error.code]).toEqual([name, true, "forbidden"]);
    }
    expect((await answerOf(reader, "contacts_list")).contacts).toEqual([]);
  });
});

describe.each(["older", "newer"] as const)("Clients of the %s protocol", (age) => {
  it("An MCP client can create, read and list contacts without a session", async () => {
    const phone = phoneEnding("7000");
    const made = await answerOf(customer, "contacts_upsert", { phone, name: "Ada", tags: ["VIP"] }, { age });
    expect(made).toMatchObject({ success: true, created: true, contact: { name: "Ada", phone } });
    const { contacts } = await answerOf(
      customer,
      "contacts_list",
      { search: phone, limit: 1, include_total: true },
      { age },
    );
    expect(contacts).toMatchObject([{ id: made.contact.id }]);
    const { contact } = await answerOf(customer, "contacts_get", { id: made.contact.id }, { age });
    expect(contact.phone).toBe(phone);
    const { body } = await askMcp(customer, "tools/list", {}, { age });
    expect(body.result.tools.length).toBeGreaterThan(20);
  });

  it("An MCP client gets an error for unknown tools and records", async () => {
    for (const name of ["nothing", "__proto__", "constructor", "toString", "", "contacts.list", "webhooks_create"]) {
      const { body } = await askMcp(customer, "tools/call", { name, arguments: {} }, { age });
      expect([name, body.error?.code]).toEqual([name, -32_602]);
    }
  });
});

describe("Tool calls", () => {
  it("A repeated tool call with the same idempotency_key returns the first result and sends no second message", async () => {
    const args = { to: phoneEnding("7001"), text: "Hello", idempotency_key: "order 1" };
    const first = await answerOf(customer, "messages_send", args);
    expect(first).toMatchObject({ success: true, status: "queued" });
    const turned = Object.fromEntries(Object.entries(args).toReversed());
    expect(await answerOf(customer, "messages_send", turned)).toEqual(first);
    expect((await callTool(customer, "messages_send", { ...args, text: "Bye" })).answer.error.code).toBe(
      "idempotency_key_reused",
    );
  });

  it("A tool call that the API rejects returns the API's error", async () => {
    const args = { to: "123", text: "", colour: 1 };
    const { isError, answer } = await callTool(customer, "messages_send", args);
    const { body } = await customer.call("POST", "/messages", args);
    expect(isError).toBe(true);
    expect(answer.error).toEqual(body.error);
  });

  it.each([
    ["contacts_get", {}, "id"],
    ["contacts_get", { id: 7 }, "id"],
    ["contacts_get", { id: "" }, "id"],
    ["contacts_get", { id: "x".repeat(1000) }, "id"],
    ["contacts_get", { id: "ct_x", colour: "red" }, "colour"],
    ["contacts_list", { limit: 0 }, "query.limit"],
    ["contacts_list", { search: { $gt: "" } }, "query.search"],
    ["contacts_list", { search: null }, "query.search"],
    ["contacts_list", { search: "\0" }, "search"],
    ["messages_send", { to: "+14155550100", text: "x", idempotency_key: "a\r\nX-Evil: 1" }, "idempotency_key"],
    ["messages_send", { to: "+14155550100", text: "x", idempotency_key: 7 }, "idempotency_key"],
    ["contacts_upsert", { phone: "+14155550100", constructor: 1 }, "constructor"],
    ["contacts_upsert", { phone: "+14155550100", custom_fields: { ["__proto__"]: 1 } }, "custom_fields.__proto__"],
  ])("A call of the tool %s with %j returns the errors", async (name, args, path) => {
    const { isError, answer } = await callTool(customer, name, args);
    expect([isError, answer.error.code]).toEqual([true, "validation_failed"]);
    expect(answer.error.details.map((fault: { path: string }) => fault.path)).toContain(path);
  });

  it.each([
    "..",
    ".",
    "../tags",
    "..%2ftags",
    "%2e%2e",
    "%2f",
    "a/b",
    "ct_x?limit=1",
    "#",
    "ct_x/",
    "preview",
    "\u2028",
  ])("A tool call with the id %j returns 404", async (id) => {
    for (const name of ["contacts_get", "campaigns_pause", "segments_count"]) {
      const { isError, answer } = await callTool(customer, name, { id });
      expect([id, name, isError, answer.error?.code]).toEqual([id, name, true, "not_found"]);
    }
  });

  it("A tool call cannot reach another workspace", async () => {
    const other = await customer.world.customer();
    const { contact } = await answerOf(other, "contacts_upsert", { phone: phoneEnding("7002") });
    expect((await callTool(customer, "contacts_get", { id: contact.id })).answer.error.code).toBe("not_found");
    const sent = await callTool(customer, "messages_send", { contact_id: contact.id, text: "Hi" });
    expect(sent.answer.error.code).toBe("not_found");
  });

  it("A tool call counts as one request and returns rate limit headers", async () => {
    const few = await customer.world.customer({ key: { rate_limit: { requests: 2, window_seconds: 60 } } });
    expect((await askMcp(few, "tools/list")).headers.get("X-RateLimit-Remaining")).toBe("1");
    const { headers } = await askMcp(few, "tools/call", { name: "contacts_list" }, { age: "newer" });
    expect(headers.get("X-RateLimit-Remaining")).toBe("0");
    const refused = await askMcp(few, "tools/list");
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});
