import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { readLog } from "../../support/read-log.ts";
import { costOf } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const HOUR_MS = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const idsOf = async (customer: Customer, query = ""): Promise<string[]> =>
  (await customer.call("GET", `/conversations${query}`)).body.conversations.map(({ id }: Answer["body"]) => id);
const get = async (customer: Customer, id: string) =>
  (await customer.call("GET", `/conversations/${id}`)).body.conversation;
const patch = (customer: Customer, id: string, body: object, ask: object = {}) =>
  customer.call("PATCH", `/conversations/${id}`, body, ask);

/** Opens conversations one second apart. Returns their ids, latest first. */
async function open(customer: Customer, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) {
    customer.world.advance(1000);
    ids.unshift((await customer.send(phoneEnding("1234"), `No. ${n}`)).body.conversation_id);
  }
  return ids;
}

/** Returns the events of conversations with their changes. */
const told = async (customer: Customer) =>
  (await readLog(customer))
    .filter(({ type }) => type.startsWith("conversation."))
    .map(({ type, id, changes }) => [type, id, changes]);

async function start() {
  const customer = await new World().customer();
  const [id = ""] = await open(customer, 1);
  const before = (await told(customer)).length;
  const since = async () => (await told(customer)).slice(before);
  return { customer, id, since };
}

describe("Assignments", () => {
  it("Assigning a conversation returns the member's name and logs one event", async () => {
    const { customer, id, since } = await start();
    const { userId } = await customer.member("agent");
    const answer = await patch(customer, id, { assignee_id: userId });
    expect(answer.status).toBe(200);
    const { assignee } = answer.body.conversation;
    expect(assignee).toEqual({ id: userId, name: expect.stringMatching(/./) });
    expect((await get(customer, id)).assignee).toEqual(assignee);
    await patch(customer, id, { assignee_id: userId });
    await patch(customer, id, { assignee_id: null });
    expect((await get(customer, id)).assignee).toBeNull();
    expect(await since()).toEqual([
      ["conversation.assigned", id, { assignee_id: [null, userId] }],
      ["conversation.assigned", id, { assignee_id: [userId, null] }],
    ]);
  });

  it("Assigning a conversation to a person outside the workspace is rejected and changes nothing", async () => {
    const { customer, id, since } = await start();
    const stranger = await (await customer.world.customer()).member("owner");
    for (const assignee_id of [stranger.userId, "usr_nobody"]) {
      const { status, body } = await patch(customer, id, { assignee_id, status: "done" });
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
    expect(await get(customer, id)).toMatchObject({ assignee: null, status: "open" });
    expect(await since()).toEqual([]);
  });

  it("Lists of conversations can be filtered by assignee, and API keys cannot use `me`", async () => {
    const customer = await new World().customer();
    const [a = "", b = "", c = ""] = await open(customer, 3);
    const [ann, ben] = [await customer.member("agent"), await customer.member("agent")];
    await patch(customer, a, { assignee_id: ann.userId });
    await patch(customer, c, { assignee_id: ben.userId, status: "done" });
    expect(await idsOf(customer, `?assignee=${ann.userId}`)).toEqual([a]);
    expect(await idsOf(customer, `?assignee=${ben.userId}`)).toEqual([c]);
    expect(await idsOf(customer, `?assignee=${ben.userId}&status=open`)).toEqual([]);
    expect(await idsOf(customer, "?assignee=none")).toEqual([b]);
    expect(await idsOf(customer, "?assignee=usr_nobody")).toEqual([]);
    const me = await customer.call("GET", "/conversations?assignee=me");
    expect([me.status, me.body.error.details[0].path]).toEqual([400, "query.assignee"]);
  });

  it("If a member is removed, their conversations are unassigned with an event; if the removal is rejected, they stay assigned", async () => {
    const customer = await new World().customer();
    const ids = await open(customer, 3);
    const [owner, agent] = [await customer.member("owner"), await customer.member("agent")];
    for (const id of ids) await patch(customer, id, { assignee_id: agent.userId });
    await patch(customer, ids[1] ?? "", { status: "done" });
    await patch(customer, ids[2] ?? "", { assignee_id: owner.userId });
    expect((await customer.manage("DELETE", `/members/${owner.userId}`)).status).toBe(409);
    await customer.manage("DELETE", `/members/${agent.userId}`);
    expect((await get(customer, ids[0] ?? "")).assignee.id).toBe(agent.userId);
    customer.world.advance(61_000);
    await customer.world.cron();
    expect(await idsOf(customer, "?assignee=none")).toEqual(ids.slice(0, 2));
    expect((await get(customer, ids[2] ?? "")).assignee.id).toBe(owner.userId);
    const before = (await told(customer)).length;
    customer.world.advance(61_000);
    await customer.world.cron();
    expect((await told(customer)).slice(before)).toEqual([]);
    expect(
      (await told(customer)).filter(([, , changes]) => JSON.stringify(changes).includes(`"${agent.userId}",null`)),
    ).toHaveLength(2);
  });
});

describe("Snoozes", () => {
  it("Only lists with `snoozed=false` hide a snoozed conversation, and the end of the snooze is logged", async () => {
    const { customer, id, since } = await start();
    const until = inMs(HOUR_MS);
    expect((await patch(customer, id, { snoozed_until: ` ${until} ` })).body.conversation).toMatchObject({
      snoozed_until: until,
      status: "open",
    });
    const shows = ["", "?status=open", "?snoozed=true", "?search=1234", "?search=1234&snoozed=true"];
    const hides = ["?status=done", "?snoozed=false", "?snoozed=false&status=open", "?snoozed=true&status=done"];
    for (const query of shows) expect(await idsOf(customer, query), query).toEqual([id]);
    for (const query of [...hides, "?search=1234&snoozed=false"])
      expect(await idsOf(customer, query), query).toEqual([]);
    customer.world.advance(HOUR_MS);
    expect(await idsOf(customer, "?snoozed=false&status=open")).toEqual([id]);
    expect(await idsOf(customer, "?snoozed=true")).toEqual([]);
    expect((await get(customer, id)).snoozed_until).toBeNull();
    await customer.world.cron();
    await customer.world.cron();
    expect(await idsOf(customer, "?status=open")).toEqual([id]);
    expect(await since()).toEqual([
      ["conversation.updated", id, { snoozed_until: [null, until] }],
      ["conversation.updated", id, { snoozed_until: [until, null] }],
    ]);
  });

  it("A snooze ends when the person writes or the conversation is marked as done", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.receive(from, "Hi");
    const [id = ""] = await idsOf(customer);
    const until = inMs(HOUR_MS);
    await patch(customer, id, { snoozed_until: until });
    const before = (await told(customer)).length;
    customer.world.advance(1000);
    await customer.receive(from, "Still there?");
    expect(await get(customer, id)).toMatchObject({ snoozed_until: null, status: "open", unread_count: 2 });
    expect(await idsOf(customer, "?status=open")).toEqual([id]);
    await patch(customer, id, { snoozed_until: until });
    await patch(customer, id, { status: "done" });
    expect(await idsOf(customer, "?status=done")).toEqual([id]);
    await patch(customer, id, { snoozed_until: until });
    await patch(customer, id, { snoozed_until: null });
    expect((await told(customer)).slice(before)).toEqual([
      ["conversation.updated", id, { snoozed_until: [until, null] }],
      ["conversation.updated", id, { snoozed_until: [null, until] }],
      ["conversation.done", id, { status: ["open", "done"] }],
      ["conversation.updated", id, { snoozed_until: [until, null] }],
      ["conversation.opened", id, { status: ["done", "open"] }],
      ["conversation.updated", id, { snoozed_until: [null, until] }],
      ["conversation.updated", id, { snoozed_until: [until, null] }],
    ]);
  });

  it.each([
    [{ snoozed_until: inMs(-1) }, "snoozed_until"],
    [{ snoozed_until: inMs(366 * 24 * HOUR_MS) }, "snoozed_until"],
    [{ snoozed_until: "tomorrow" }, "snoozed_until"],
    [{ snoozed_until: inMs(HOUR_MS), status: "done" }, "snoozed_until"],
    [{ labels: Array.from({ length: 21 }, (_, n) => `L${n}`) }, "labels"],
    [{ labels: ["x".repeat(61)] }, "labels.0"],
    [{ labels: [" "] }, "labels.0"],
    [{ labels: null }, "labels"],
    [{ assignee_id: 7 }, "assignee_id"],
    [{}, "body"],
  ])("A change to a conversation with %j is rejected", async (body, path) => {
    const { customer, id } = await start();
    const answer = await patch(customer, id, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "validation_failed"]);
    expect(answer.body.error.details.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

describe("Labels", () => {
  it("Labels of conversations are trimmed, ordered, and unique except for case and accents", async () => {
    const { customer, id, since } = await start();
    const labels = ["  Urgent ", "Café", "CAFE", "urgent", "Refund"];
    expect((await patch(customer, id, { labels })).body.conversation.labels).toEqual(["Urgent", "Café", "Refund"]);
    await patch(customer, id, { labels: ["Urgent", "Café", "Refund"] });
    await patch(customer, id, { labels: [] });
    expect(await since()).toEqual([
      ["conversation.updated", id, { labels: [[], ["Urgent", "Café", "Refund"]] }],
      ["conversation.updated", id, { labels: [["Urgent", "Café", "Refund"], []] }],
    ]);
  });

  it("Lists of conversations can be filtered by a label in any spelling, and by further filters", async () => {
    const customer = await new World().customer();
    const [a = "", b = "", c = ""] = await open(customer, 3);
    const { userId } = await customer.member("agent");
    await patch(customer, a, { labels: ["Café"] });
    await patch(customer, c, { labels: ["cafe", "VIP"], assignee_id: userId });
    await patch(customer, b, { labels: ["Cafeteria"] });
    expect(await idsOf(customer, "?label=CAFE")).toEqual([a, c]);
    customer.world.advance(1000);
    await customer.receive((await get(customer, c)).contact.phone, "Hi");
    expect(await idsOf(customer, "?label=cafe")).toEqual([c, a]);
    expect(await idsOf(customer, "?label=cafe&unread=true")).toEqual([c]);
    expect(await idsOf(customer, `?label=cafe&assignee=${userId}`)).toEqual([c]);
    expect(await idsOf(customer, "?label=cafe&assignee=none")).toEqual([a]);
    await patch(customer, a, { status: "done" });
    expect(await idsOf(customer, "?label=cafe&status=open")).toEqual([c]);
    expect(await idsOf(customer, "?label=cafe&status=done")).toEqual([a]);
    await patch(customer, c, { snoozed_until: inMs(HOUR_MS) });
    expect(await idsOf(customer, "?label=cafe&snoozed=false")).toEqual([a]);
    expect(await idsOf(customer, "?label=vip&snoozed=true")).toEqual([c]);
    expect(await idsOf(customer, "?label=gone")).toEqual([]);

    await patch(customer, b, { labels: ['Size 5"', 'a"gone'] });
    for (const search of ["", "&search=No."]) {
      expect(await idsOf(customer, `?label=${encodeURIComponent('size 5"')}${search}`)).toEqual([b]);
      expect(await idsOf(customer, `?label=gone${search}`)).toEqual([]);
    }
  });
});

describe("Changes of several fields", () => {
  it("Changing several fields of a conversation takes one batch and logs one event of each kind, and a repeat changes nothing", async () => {
    const { customer, id, since } = await start();
    const { userId } = await customer.member("agent");
    const once = { headers: { "Idempotency-Key": "k" } };
    const body = { status: "done", assignee_id: userId, labels: ["VIP"] };
    const [first, again] = [await patch(customer, id, body, once), await patch(customer, id, body, once)];
    expect(again.body).toEqual(first.body);
    expect((await since()).map(([type]) => type)).toEqual([
      "conversation.done",
      "conversation.assigned",
      "conversation.updated",
    ]);
    const same = await patch(customer, id, body);
    expect(costOf(same)).toMatchObject({ rows_written: 0 });
  });

  it("Changing several fields affects only conversations of the caller's workspace", async () => {
    const { customer, id } = await start();
    const stranger = await customer.world.customer();
    const { status, body } = await patch(stranger, id, { labels: ["Mine"] });
    expect([status, body.error.code]).toEqual([404, "not_found"]);
    expect((await get(customer, id)).labels).toEqual([]);
  });
});
