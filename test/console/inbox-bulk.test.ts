import { expect, it } from "vitest";
import { at as inbox } from "../support/inbox.ts";
import { World } from "../support/world.ts";
import type { Visitor } from "../support/visitor.ts";

async function start(count = 2) {
  const customer = await new World().customer();
  const agent = await customer.member("agent", "Ben");
  await agent.get(inbox(customer));
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push(String((await customer.send(`+14155550${100 + n}`, "Hello")).body.conversation_id));
  }
  const get = async (id: string) => (await customer.call("GET", `/conversations/${id}`)).body.conversation;
  const act = (by: Visitor, fields: Record<string, string>) => {
    const body = new URLSearchParams({ csrf_token: by.token, ...fields });
    for (const id of ids) body.append("ids", id);
    return by.request("POST", inbox(customer, "/bulk"), body);
  };
  const label = (id: string, labels: string[]) => customer.call("PATCH", `/conversations/${id}`, { labels });
  /** Returns the page after an action, and the fields of its Undo button. */
  const after = async (by: Visitor, answer: { headers: Headers }) => {
    const page = String((await by.get(answer.headers.get("Location") ?? "")).body);
    const [, changes] = /name="changes" value="([^"]*)"/.exec(page) ?? [];
    return { page, changes: changes?.replaceAll("&quot;", '"') };
  };
  return { customer, agent, ids, get, act, label, after };
}

const many = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${n} ${text}`);

it("If two members label the same conversations at once, both labels stay, and each undo removes only its own label", async () => {
  const { customer, agent, ids, get, act, after } = await start();
  const other = await customer.member("agent", "Ada");
  await other.get(inbox(customer));
  for (const n of [1, 2, 3, 4, 5]) {
    await Promise.all([
      act(agent, { act: "label", label: `Ben ${n}` }),
      act(other, { act: "label", label: `Ada ${n}` }),
    ]);
  }
  const all = [1, 2, 3, 4, 5].flatMap((n) => [`Ada ${n}`, `Ben ${n}`]);
  for (const id of ids) expect((await get(id)).labels.toSorted()).toEqual(all.toSorted());
  const { changes } = await after(agent, await act(agent, { act: "label", label: "Épic" }));
  await act(other, { act: "label", label: "Ada 6" });
  await agent.post(inbox(customer, "/bulk/undo"), { changes: changes ?? "" });
  for (const id of ids) expect((await get(id)).labels.toSorted()).toEqual([...all, "Ada 6"].toSorted());
  const { events } = (await customer.call("GET", "/events?types=conversation.updated&limit=100")).body;
  expect(events).toHaveLength(2 * (10 + 3));
});

it("A bulk label skips conversations that already have 20 labels, or have the label in another case", async () => {
  const { agent, ids, get, act, label, after } = await start(3);
  const [full = "", has = "", bare = ""] = ids;
  await label(full, many(20, "label"));
  await label(has, ["vip"]);
  const first = await after(agent, await act(agent, { act: "label", label: "VIP" }));
  expect(first.page).toContain("1 conversation is labelled “VIP”. 1 of them has 20 labels already.");
  expect((await get(full)).labels).toEqual(many(20, "label"));
  expect((await get(has)).labels).toEqual(["vip"]);
  expect((await get(bare)).labels).toEqual(["VIP"]);
  const again = await after(agent, await act(agent, { act: "label", label: "VIP" }));
  expect(again.page).toContain("1 of them has 20 labels already.");
  expect(again.changes).toBeUndefined();
  for (const refused of ["", " ", "x".repeat(61)]) {
    await act(agent, { act: "label", label: refused });
  }
  expect((await get(bare)).labels).toEqual(["VIP"]);
});

it("A repeated bulk form does not close a conversation that was reopened", async () => {
  const { customer, agent, ids, get, act, after } = await start();
  const [id = ""] = ids;
  const form = { act: "done", once: "form_01hzzzzzzzzzzzzzzzzzzzzzzz" };
  const { changes = "" } = await after(agent, await act(agent, form));
  await customer.receive("+14155550100", "One more thing");
  const again = await after(agent, await act(agent, form));
  expect(again.page).toContain("2 conversations are done.");
  expect(again.changes).toBeUndefined();
  expect((await get(id)).status).toBe("open");

  const undo = { changes, once: "form_02hzzzzzzzzzzzzzzzzzzzzzzz" };
  await agent.post(inbox(customer, "/bulk/undo"), undo);
  await act(agent, { act: "done" });
  await agent.post(inbox(customer, "/bulk/undo"), undo);
  for (const each of ids) expect((await get(each)).status).toBe("done");
});

it(
  "The notice after a bulk change offers no undo if the data for the undo is too large for a cookie",
  { tags: "long" },
  async () => {
    const { agent, ids, get, act, label, after } = await start(60);
    const labels = many(15, "結".repeat(56));
    for (const id of ids) await label(id, labels);
    const text = "結".repeat(60);
    const labelled = await act(agent, { act: "label", label: text });
    for (const cookie of labelled.headers.getSetCookie()) expect(cookie.length).toBeLessThanOrEqual(4096);
    const { page, changes } = await after(agent, labelled);
    expect(page).toContain(`60 conversations are labelled “${text}”.`);
    expect(changes).toBeUndefined();
    expect((await get(ids[59] ?? "")).labels).toEqual([...labels, text]);
    expect((await after(agent, await act(agent, { act: "label", label: "VIP" }))).changes).toContain(ids[59]);
  },
);
