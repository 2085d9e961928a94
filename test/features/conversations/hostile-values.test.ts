import { describe, expect, it } from "vitest";
import { at as inbox } from "../../support/inbox.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

const HOSTILE = [
  "__proto__",
  "constructor",
  "%",
  "' OR 1=1 --",
  '{"$":1}',
  "<script>alert(1)</script>",
  "\u202Etxt",
  "😀",
];
const TOO_LONG = "x".repeat(10_000);
const LONE = '"\\ud800"';

async function start() {
  const customer = await new World().customer();
  const id: string = (await customer.send(phoneEnding("1234"))).body.conversation_id;
  return { customer, id };
}

const get = async (customer: Customer, path: string, key: string): Promise<Answer["body"]> =>
  (await customer.call("GET", path)).body[key];

describe("Hostile values", () => {
  it("Labels can contain quotes, SQL and other hostile values, and filters by these labels find the conversations", async () => {
    const { customer, id } = await start();
    const changed = await customer.call("PATCH", `/conversations/${id}`, { labels: HOSTILE });
    expect(changed.body.conversation.labels).toEqual(HOSTILE);
    for (const label of HOSTILE) {
      const { conversations } = (await customer.call("GET", `/conversations?label=${encodeURIComponent(label)}`)).body;
      expect([label, conversations.length]).toEqual([label, 1]);
    }
    for (const label of ["a\u0000b", TOO_LONG, ""]) {
      const refused = await customer.call("PATCH", `/conversations/${id}`, { labels: [label] });
      expect([label.length, refused.status]).toEqual([label.length, 400]);
    }
    expect((await get(customer, `/conversations/${id}`, "conversation")).labels).toEqual(HOSTILE);
  });

  it("Notes and canned replies store hostile values unchanged", async () => {
    const { customer, id } = await start();
    for (const body of HOSTILE) {
      const note = await customer.call("POST", `/conversations/${id}/notes`, { body });
      expect([note.status, note.body.message.body]).toEqual([201, body]);
    }
    for (const shortcut of ["__proto__", "constructor", "%", "😀"]) {
      const made = await customer.call("POST", "/canned-replies", { shortcut, body: "<b>Hi</b> __proto__" });
      expect([made.status, made.body.canned_reply.shortcut]).toEqual([201, shortcut]);
    }
    for (const body of ["", "a\u0000b", TOO_LONG]) {
      const refused = await customer.call("POST", `/conversations/${id}/notes`, { body });
      expect([body.length, refused.status]).toEqual([body.length, 400]);
    }
    for (const shortcut of ["", "two words", "a/b", "a\u0000", TOO_LONG]) {
      expect((await customer.call("POST", "/canned-replies", { shortcut, body: "Hi" })).status).toBe(400);
    }
  });

  it("Texts with half a surrogate pair are rejected", async () => {
    const { customer, id } = await start();
    const send = (method: string, path: string, raw: string) =>
      customer.call(method, path, undefined, { raw, headers: { "Content-Type": "application/json" } });
    const answers = [
      await send("PATCH", `/conversations/${id}`, `{"labels":[${LONE}]}`),
      await send("POST", `/conversations/${id}/notes`, `{"body":${LONE}}`),
      await send("POST", "/canned-replies", `{"shortcut":${LONE},"body":"Hi"}`),
      await send("POST", "/conversations/bulk", `{"ids":["${id}"],"labels":[${LONE}]}`),
      await send("POST", "/conversations/bulk", `{"ids":[${LONE}],"status":"done"}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  it("A conversation search with a hostile value finds nothing and does not fail", async () => {
    const { customer } = await start();
    const syntax = [
      '"',
      '""',
      "*",
      "NEAR(a b)",
      "f:w00",
      'x" OR f:"w',
      "a AND NOT b",
      "(",
      "^a",
      "-",
      "%00abc",
      "\u0002\u0002a",
    ];
    for (const search of [...HOSTILE, ...syntax, "a ".repeat(50), "abc ".repeat(25)]) {
      const { status, body } = await customer.call("GET", `/conversations?search=${encodeURIComponent(search)}`);
      expect([search, status === 200 ? body.conversations : status]).toEqual([search, []]);
    }
    for (const search of ["%00", "%ED%A0%80", "x".repeat(101)]) {
      expect([200, 400]).toContain((await customer.call("GET", `/conversations?search=${search}`)).status);
    }
  });

  it("Contact views accept or reject hostile names without an internal error", async () => {
    const { customer } = await start();
    const agent = await customer.member("agent");
    const contacts = `/console/${customer.workspaceId}/contacts`;
    await agent.get(contacts);
    for (const name of HOSTILE) {
      expect(
        (await agent.post(`${contacts}/views`, { name, query: `search=${encodeURIComponent(name)}` })).status,
      ).toBe(303);
    }
    for (const name of ["", "a\u0000b", TOO_LONG]) await agent.post(`${contacts}/views`, { name, query: "search=x" });
    const tabs = /aria-label="Views">[^]*?<\/nav>/.exec((await agent.get(contacts)).body)?.[0] ?? "";
    expect(tabs.match(/<li>/g)).toHaveLength(1 + HOSTILE.length);
    expect(tabs).not.toContain("<script>");
  });
});

describe("People and ids of other workspaces", () => {
  it("A removed member cannot be assigned to conversations, either individually or in bulk", async () => {
    const { customer, id } = await start();
    const { userId } = await customer.member("agent");
    await customer.world.manage("DELETE", `/workspaces/${customer.workspaceId}/members/${userId}`);
    const answers = [
      await customer.call("PATCH", `/conversations/${id}`, { assignee_id: userId }),
      await customer.call("POST", "/conversations/bulk", { ids: [id], assignee_id: userId }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await get(customer, `/conversations/${id}`, "conversation")).assignee).toBeNull();
  });

  it("Console forms and undo cannot change another workspace's conversations or be used by a removed member", async () => {
    const { customer, id } = await start();
    const agent = await customer.member("agent");
    const stranger = await customer.world.customer();
    const theirs: string = (await stranger.send(phoneEnding("1234"))).body.conversation_id;
    await agent.get(inbox(customer));
    const undone = await agent.post(inbox(customer, `/${theirs}/change`), { status: "done", snoozed_until: "" });
    expect([303, 404]).toContain(undone.status);
    const form = new URLSearchParams({ csrf_token: agent.token, ids: theirs, act: "done" });
    await agent.request("POST", inbox(customer, "/bulk"), form);
    await agent.post(inbox(stranger, `/${theirs}/change`), { status: "done" });
    expect((await get(stranger, `/conversations/${theirs}`, "conversation")).status).toBe("open");
    const change = async (status: string) => {
      await agent.post(inbox(customer, `/${id}/change`), { status });
      return (await get(customer, `/conversations/${id}`, "conversation")).status;
    };
    expect([await change("done"), await change("open")]).toEqual(["done", "open"]);
    await customer.world.manage("DELETE", `/workspaces/${customer.workspaceId}/members/${agent.userId}`);
    expect(await change("done")).toBe("open");
  });

  it("Concurrent bulk changes change each conversation once, with or without the same Idempotency-Key", async () => {
    const { customer, id } = await start();
    const change = (headers: Record<string, string>) =>
      customer.call("POST", "/conversations/bulk", { ids: [id, id, "__proto__"], status: "done" }, { headers });
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const same = await Promise.all(Array.from({ length: 8 }, () => change(key)));
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(same[0]?.body.counts).toEqual({ updated: 1, unchanged: 1, failed: 1 });
    await customer.call("PATCH", `/conversations/${id}`, { status: "open" });
    const each = await Promise.all(Array.from({ length: 8 }, () => change({})));
    expect(each.reduce((sum, { body }) => sum + body.counts.updated, 0)).toBe(1);
  });
});
