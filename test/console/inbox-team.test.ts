import { beforeEach, describe, expect, it } from "vitest";
import { snoozePresets } from "../../src/console/pages/inbox/snooze-presets.ts";
import { stopClock } from "../support/clock.ts";
import { at as inbox, undo } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

const get = async (customer: Customer, id: string) =>
  (await customer.call("GET", `/conversations/${id}`)).body.conversation;

async function start() {
  const customer = await new World().customer();
  const agent = await customer.member("agent", "Ben");
  const { conversation_id: id } = (await customer.send(phoneEnding("1234"), "Your refund is on its way")).body;
  return { customer, agent, id: String(id) };
}

describe("Teamwork in the inbox", () => {
  it("A thread can be assigned, snoozed, labelled and closed, and each change can be undone", async () => {
    const { customer, agent, id } = await start();
    const change = (fields: Record<string, string>) => agent.post(inbox(customer, `/${id}/change`), fields);
    const assigned = await change({ assignee_id: agent.userId });
    expect((await get(customer, id)).assignee).toEqual({ id: agent.userId, name: "Ben" });
    const page = (await agent.get(assigned.headers.get("Location") ?? "")).body;
    expect(page).toContain("assigned to you");
    expect(page).toContain("Undo");
    await change({ assignee_id: "" });
    expect((await get(customer, id)).assignee).toBeNull();
    await agent.post(inbox(customer, `/${id}/labels`), { labels: "Refund, , VIP" });
    expect((await get(customer, id)).labels).toEqual(["Refund", "VIP"]);
    await change({ snoozed_until: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await get(customer, id)).snoozed_until).not.toBeNull();
    await change({ snoozed_until: "" });
    expect((await get(customer, id)).snoozed_until).toBeNull();
    await change({ status: "done" });
    expect((await get(customer, id)).status).toBe("done");
  });

  it("The inbox lists the member's own, unassigned and snoozed conversations, and filters by label and words", async () => {
    const { customer, agent, id } = await start();
    await customer.call("PATCH", `/conversations/${id}`, { assignee_id: agent.userId, labels: ["VIP"] });
    const shows = async (query: string) =>
      String((await agent.get(inbox(customer, query))).body).includes(`id="row-${id}"`);
    expect(await shows("?assignee=me")).toBe(true);
    expect(await shows("?assignee=none")).toBe(false);
    expect(await shows("?label=vip")).toBe(true);
    expect(await shows("?search=refund")).toBe(true);
    expect(await shows("?search=invoice")).toBe(false);
    expect((await agent.get(inbox(customer, "?search=REFUND"))).body).toContain(
      "API: Your <mark>refund</mark> is on its way",
    );
    await customer.call("PATCH", `/conversations/${id}`, {
      snoozed_until: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await shows("")).toBe(false);
    expect(await shows("?search=refund")).toBe(false);
    for (const query of ["?status=snoozed", "?status=all", "?status=all&search=refund"])
      expect(await shows(query)).toBe(true);
    const { contact } = await get(customer, id);
    for (const page of [`/console/${customer.workspaceId}/contacts/${contact.id}`, inbox(customer, "?status=all")])
      expect(textOf(await agent.get(page))).toMatch(/Snoozed until \d+ \w+ \d{4}/);
  });

  it("Several conversations can be closed at once, and a contact page can start a conversation", async () => {
    const { customer, agent, id } = await start();
    await agent.get(inbox(customer));
    const other = (await customer.send(phoneEnding("1234"))).body.conversation_id;
    const form = new URLSearchParams([
      ["csrf_token", agent.token],
      ["ids", id],
      ["ids", other],
      ["act", "done"],
    ]);
    const answer = await agent.request("POST", inbox(customer, "/bulk"), form);
    expect(answer.status).toBe(303);
    expect((await get(customer, id)).status).toBe("done");
    expect((await get(customer, other)).status).toBe("done");
    const { id: contact_id } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body.contact;
    const started = await agent.post(`/console/${customer.workspaceId}/contacts/${contact_id}/conversation`, {
      connection_id: customer.connectionId,
      open: "yes",
    });
    expect(started.status).toBe(303);
    const { conversations } = (await customer.call("GET", "/conversations?status=open")).body;
    expect(conversations).toMatchObject([{ contact: { id: contact_id }, last_message: null }]);
  });

  it("Several conversations can be assigned, snoozed and labelled at once, and each change can be undone", async () => {
    const { customer, agent, id } = await start();
    await agent.get(inbox(customer));
    const other = String((await customer.send(phoneEnding("1234"))).body.conversation_id);
    const mine = { assignee_id: agent.userId, labels: ["VIP"] };
    await customer.call("PATCH", `/conversations/${id}`, mine);
    const states = async () => {
      const both = [await get(customer, id), await get(customer, other)];
      return both.map(({ status, assignee, labels, snoozed_until }) => ({ status, assignee, labels, snoozed_until }));
    };
    const before = await states();
    const act = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ csrf_token: agent.token, ...fields });
      for (const each of [id, other]) body.append("ids", each);
      const answer = await agent.request("POST", inbox(customer, "/bulk"), body);
      const page = (await agent.get(answer.headers.get("Location") ?? "")).body;
      const [, changes = ""] = /name="changes" value="([^"]*)"/.exec(page) ?? [];
      return { page, changes: changes.replaceAll("&quot;", '"') };
    };
    const snoozed_until = new Date(Date.now() + 3_600_000).toISOString();
    for (const [fields, changed, said] of [
      [{ act: "nobody" }, { assignee: null }, "1 conversation is unassigned."],
      [{ act: `assign:${agent.userId}` }, { assignee: { id: agent.userId } }, "1 conversation is assigned."],
      [{ act: `snooze:${snoozed_until}` }, { status: "open", snoozed_until }, "2 conversations are snoozed."],
      [{ act: "done" }, { status: "done" }, "2 conversations are done."],
      [
        { act: "label", label: " Refund " },
        { labels: expect.arrayContaining(["Refund"]) },
        "2 conversations are labelled",
      ],
    ] as const) {
      const { page, changes } = await act(fields);
      expect(page).toContain(said);
      for (const state of await states()) expect(state).toMatchObject(changed);
      const undone = await agent.post(inbox(customer, "/bulk/undo"), { changes });
      expect(undone.status).toBe(303);
      expect(await states(), JSON.stringify(fields)).toEqual(before);
    }
    await act({ act: "label", label: "vip" });
    expect((await states()).map(({ labels }) => labels)).toEqual([["VIP"], ["vip"]]);
    const labelled = await states();
    await act({ act: "label", label: "" });
    await act({ act: "assign:usr_nobody" });
    await agent.post(inbox(customer, "/bulk/undo"), { changes: "[{" });
    expect(await states()).toEqual(labelled);
  });

  it("Undo restores the snooze that “Done” ended, and the done status that a snooze ended", async () => {
    const { customer, agent, id } = await start();
    const change = (fields: Record<string, string>) => agent.post(inbox(customer, `/${id}/change`), fields);
    const snoozed_until = new Date(Date.now() + 3_600_000).toISOString();
    await change({ snoozed_until });
    const done = await change({ status: "done" });
    expect(await get(customer, id)).toMatchObject({ status: "done", snoozed_until: null });
    await undo(agent, done);
    expect(await get(customer, id)).toMatchObject({ status: "open", snoozed_until });
    await change({ status: "done" });
    await undo(agent, await change({ snoozed_until }));
    expect(await get(customer, id)).toMatchObject({ status: "done", snoozed_until: null });
  });

  it("A thread shows its assignee, labels and snooze, and the note form stays open after a change", async () => {
    const { customer, agent, id } = await start();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await customer.call("PATCH", `/conversations/${id}`, {
      assignee_id: agent.userId,
      labels: ["VIP"],
      snoozed_until: until,
    });
    const page = (await agent.get(inbox(customer, `/${id}?compose=note`))).body;
    const marks = /id="thread-marks">(.*?)<\/p>/s.exec(page)?.[1];
    for (const mark of ["Yours", "VIP", "Snoozed until"]) expect(marks).toContain(mark);
    const changed = await agent.post(inbox(customer, `/${id}/change?compose=note`), { assignee_id: "" });
    const noted = await agent.post(inbox(customer, `/${id}/note?compose=note`), { body: "Called back." });
    for (const answer of [changed, noted])
      expect(answer.headers.get("Location")).toBe(inbox(customer, `/${id}?compose=note`));
  });

  it.each(["UTC", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland"])(
    "The suggested snooze times are in the future, and mornings are in the time zone %s",
    (zone) => {
      const shown = (at: number) =>
        new Intl.DateTimeFormat("en-GB", {
          weekday: "short",
          hour: "2-digit",
          minute: "2-digit",
          timeZone: zone,
        }).format(at);
      for (let day = 1; day <= 14; day++) {
        const now = Date.UTC(2026, 2, 20 + day, 23, 30); // daylight saving time begins in these days
        const [later = 0, tomorrow = 0, nextWeek = 0] = snoozePresets(now, zone).map(({ at }) => at);
        expect(Math.min(later, tomorrow, nextWeek)).toBeGreaterThan(now);
        expect(shown(tomorrow)).toContain("09:00");
        expect(shown(nextWeek)).toBe("Mon 09:00");
      }
    },
  );
});
