import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { at as inbox, undo } from "../support/inbox.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

async function start(count = 1) {
  const customer = await new World().customer();
  const agent = await customer.member("agent", "Ben");
  const colleague = await customer.member("agent", "Ada");
  await agent.get(inbox(customer));
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    await customer.receive(`+14155550${100 + n}`, "Hello", `Person ${n}`);
    ids.push((await customer.call("GET", "/conversations?limit=1")).body.conversations[0].id);
    customer.world.advance(1000);
  }
  const [id = ""] = ids;
  const state = async (which = id) => {
    const { status, assignee, snoozed_until } = (await customer.call("GET", `/conversations/${which}`)).body
      .conversation;
    return { status, assignee: assignee?.id ?? null, snoozed_until };
  };
  const update = (body: object, which = id) => customer.call("PATCH", `/conversations/${which}`, body);
  const press = (fields: Record<string, string | null>) =>
    agent.post(
      inbox(customer, `/${id}/change`),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? ""])),
    );
  const act = (name: string) => {
    const body = new URLSearchParams({ csrf_token: agent.token, act: name });
    for (const each of ids) body.append("ids", each);
    return agent.request("POST", inbox(customer, "/bulk"), body);
  };
  return { customer, agent, colleague, ids, id, state, update, press, act };
}

describe("Undo after a colleague's change", () => {
  it.each([
    ["done", { status: "done" }, { status: "open" }],
    ["done and a colleague's snooze", { status: "done" }, { snoozedFor: 2 }],
    ["a snooze", { snoozedFor: 1 }, { snoozedFor: 3 }],
    ["a snooze and a colleague's done", { snoozedFor: 1 }, { status: "done" }],
    ["the end of a snooze and a colleague's done", { snoozedFor: null }, { status: "done" }],
  ])("Undo does not change a conversation after %s, and reports the conflict", async (_, made, since) => {
    const { agent, state, update, press } = await start();
    const asFields = (change: { status?: string; snoozedFor?: number | null }): Record<string, string | null> => {
      const { status, snoozedFor = null } = change;
      return status === undefined ? { snoozed_until: snoozedFor === null ? null : inHours(snoozedFor) } : { status };
    };
    const pressed = asFields(made);
    if (pressed["snoozed_until"] === null) await update({ snoozed_until: inHours(1) });
    const done = await press(pressed);
    await update(asFields(since));
    const now = await state();
    expect(await undo(agent, done)).toContain("The conversation with Person 0 changed since, so nothing was undone.");
    expect(await state()).toEqual(now);
  });

  it("Undo keeps an assignee that a colleague chose in the meantime", async () => {
    const { agent, colleague, state, update, press } = await start();
    const done = await press({ assignee_id: agent.userId });
    await update({ assignee_id: colleague.userId });
    expect(await undo(agent, done)).toContain("so nothing was undone.");
    expect((await state()).assignee).toBe(colleague.userId);
  });

  it("Undo restores fields that no colleague has changed", async () => {
    const { agent, colleague, state, update, press } = await start();
    const done = await press({ status: "done" });
    await update({ assignee_id: colleague.userId, labels: ["Refund"] });
    expect(await undo(agent, done)).toContain("Conversation with Person 0 reopened.");
    expect(await state()).toEqual({ status: "open", assignee: colleague.userId, snoozed_until: null });
  });

  it("Undo does not restore a snooze whose time has passed", async () => {
    const { customer, agent, state, update, press } = await start();
    await update({ snoozed_until: inHours(1) });
    const done = await press({ status: "done" });
    customer.world.advance(2 * HOUR);
    await undo(agent, done);
    expect(await state()).toMatchObject({ status: "open", snoozed_until: null });
  });
});

describe("Undo of bulk changes", () => {
  it("Undo of a bulk change skips conversations that a colleague has changed, and counts them", async () => {
    const { agent, colleague, ids, state, update, act } = await start(3);
    const [one = "", other = "", last = ""] = ids;
    const done = await act(`assign:${agent.userId}`);
    await update({ assignee_id: colleague.userId }, other);
    expect(await undo(agent, done)).toContain("2 conversations are restored. 1 changed since and was not restored.");
    for (const [id, assignee] of [
      [one, null],
      [other, colleague.userId],
      [last, null],
    ] as const)
      expect((await state(id)).assignee).toBe(assignee);
  });

  it("Undo of a bulk change skips conversations that the bulk change did not affect", async () => {
    const { agent, ids, state, update, act } = await start(2);
    const [one = "", other = ""] = ids;
    await update({ status: "done" }, other);
    const done = await act("done");
    await update({ status: "open" }, other);
    expect(await undo(agent, done)).toContain("1 conversation is restored.");
    for (const id of [one, other]) expect((await state(id)).status).toBe("open");
  });

  it("Undo of a bulk change reports that nothing was undone if all conversations have changed since", async () => {
    const { agent, ids, state, update, act } = await start(2);
    const done = await act("done");
    for (const id of ids) await update({ snoozed_until: inHours(2) }, id);
    const before = await state();
    expect(await undo(agent, done)).toContain("Nothing was undone, because everything changed since.");
    expect(await state()).toEqual(before);
  });
});
