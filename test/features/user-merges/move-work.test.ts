import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { at, listed, written } from "../../support/inbox.ts";
import { readEvents, readLog } from "../../support/read-log.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { PASSWORD, Visitor } from "../../support/visitor.ts";
import { type Customer, World } from "../../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const MINUTE = 60_000;

/** A person who set the same password in two workspaces, and worked in the second workspace as a separate user. */
async function workedTwice(world = new World()) {
  const [first, second] = [await world.customer(), await world.customer()];
  const kept = await first.member("agent", "Ada");
  world.advance(1000); // if both users were created in the same millisecond, either can remain
  const gone = new Visitor(world, kept.email);
  await gone.signUp(await second.invite(kept.email, "agent"), PASSWORD, "Ada again");
  gone.userId = (await second.manage("GET", "/members")).body.members[0].id;
  const ben = await second.member("agent", "Ben");
  const id = await written(second);
  await second.call("PATCH", `/conversations/${id}`, { assignee_id: gone.userId });
  for (const visitor of [gone, ben]) await visitor.get(at(second, `/${id}`));
  await ben.post(at(second, `/${id}/note`), { body: "@Ada again, can you help?" });
  await gone.post(at(second, `/${id}/note`), { body: "Yes" });
  await second.call("POST", `/conversations/${id}/notes`, { body: "@Ada again, it is urgent" });
  await gone.post(at(second, `/${id}`), { text: "It left today" });
  await gone.post(`/console/${second.workspaceId}/contacts/views`, { name: "Mine", query: "search=ann" });
  await world.settle();
  return { world, first, second, kept, gone, ben, id };
}

const run = async (world: World) => {
  world.advance(MINUTE);
  await world.cron();
};

/** Counts the rows of a workspace that contain the user's id. */
async function namings(customer: Customer, userId: string): Promise<number> {
  const tables = {
    conversations: "assignee_id",
    notes: "author_id || mentions",
    messages: "author_id",
    unseen_mentions: "member_id",
    contact_views: "created_by",
    member_names: "user_id",
  };
  const counts = Object.entries(tables).map(([table, value]) =>
    onShard(
      customer,
      `SELECT count(*) AS count FROM ${table} WHERE workspace_id = ?1 AND instr(${value}, ?2) > 0`,
      customer.workspaceId,
      userId,
    ),
  );
  return (await Promise.all(counts)).reduce((sum, [row]) => sum + Number(row?.["count"]), 0);
}

const assigned = async (customer: Customer) =>
  (await readEvents(customer, "conversation")).filter(({ type }) => type === "conversation.assigned");

describe("Work of merged users", () => {
  it("When two users are merged, their conversations and mentions move to the kept user within a minute, and later everything that they wrote", async () => {
    const { world, second, kept, gone, ben, id } = await workedTwice();
    const before = (await second.call("GET", `/conversations/${id}`)).body.conversation;
    await kept.signIn();
    await world.cron();
    const { conversation } = (await second.call("GET", `/conversations/${id}`)).body;
    expect(conversation).toEqual({ ...before, assignee: { id: kept.userId, name: "Ada" } });
    expect((await assigned(second)).at(-1)).toMatchObject({
      actor: "system",
      id,
      changes: { assignee_id: [gone.userId, kept.userId] },
    });
    for (const list of ["?assignee=me", "?mentioned=true"])
      expect(listed(await kept.get(at(second, list))), list).toEqual(["Bruno Lima"]);

    await run(world);
    expect(await namings(second, gone.userId)).toBe(0);
    const { messages } = (await second.call("GET", `/conversations/${id}/messages?include=notes`)).body;
    const note = (end: string) => messages.find(({ body }: { body: string }) => body.endsWith(end));
    expect(note("Yes").author).toEqual({ type: "member", id: kept.userId, name: "Ada" });
    expect(note("help?").author).toMatchObject({ name: "Ben" });
    for (const end of ["help?", "urgent"]) expect(note(end).mentions).toEqual([{ id: kept.userId, name: "Ada" }]);
    expect((await ben.get(at(second, `/${id}`))).body).toMatch(/Ada(?! again)[^]*It left today/);
  });

  it("The work of two merged users moves once, and other workspaces stay unchanged", async () => {
    const { world, first, second, kept, gone } = await workedTwice();
    const other = await world.customer();
    const id = await written(other);
    await onShard(other, "UPDATE conversations SET assignee_id = ? WHERE id = ?", gone.userId, id);
    await kept.signIn();
    await run(world);
    const logs = async () => [await readLog(first), await readLog(second), await readLog(other)];
    const [events, mine] = [await logs(), await namings(second, kept.userId)];
    for (let minute = 0; minute < 2; minute++) await run(world);
    expect(await logs()).toEqual(events);
    expect(await namings(second, kept.userId)).toBe(mine);
    expect(await namings(other, gone.userId)).toBe(1);
  });

  it("Work that a request stores for the removed user after a merge of users also moves to the kept user", async () => {
    const { world, second, kept, gone, id } = await workedTwice();
    await kept.signIn();
    await world.cron();
    await onShard(second, "UPDATE conversations SET assignee_id = ? WHERE id = ?", gone.userId, id);
    await onShard(second, "UPDATE messages SET author_id = ? WHERE workspace_id = ?", gone.userId, second.workspaceId);
    await run(world);
    expect(await namings(second, gone.userId)).toBe(0);
  });

  it("The work of three merged users moves to the last kept user", { tags: "long" }, async () => {
    const { world, second, kept, gone } = await workedTwice();
    const third = await world.customer();
    await gone.post("/console/sign-out");
    const [last, email] = [new Visitor(world, kept.email), kept.email];
    await last.signUp(await third.invite(email, "agent"), "another password of hers", "Ada the last");
    const { id } = (await third.manage("GET", "/members")).body.members[0];
    await kept.signIn();
    expect((await third.manage("POST", `/members/${id}/confirm`)).status).toBe(200);
    await run(world);
    expect(await namings(second, gone.userId)).toBe(0);
    expect(await namings(second, kept.userId)).toBe(0);
    expect(await namings(second, id)).toBeGreaterThan(5);
  });

  it("The work of two merged users moves a minute later if the storage fails halfway", { tags: "long" }, async () => {
    const { world, faults } = faultyWorld();
    const { second, kept, gone } = await workedTwice(world);
    await kept.signIn();
    for (const [sql, when] of [
      [/UPDATE "?contact_views/i, "before"],
      [/UPDATE "?contact_views/i, "after"],
      [/set "mentions" = replace/, "before"],
      [/set "mentions" = replace/, "after"],
      [/DELETE FROM "?member_names/i, "after"],
      [/delete from "user_merges"/, "before"],
    ] as const) {
      faults.next(sql, when);
      await run(world);
      expect(faults.spent, String(sql)).toBe(true);
    }
    await run(world);
    expect(await namings(second, gone.userId)).toBe(0);
    expect(await assigned(second)).toHaveLength(2);
  });

  it("If two merged users have much work, it moves to the kept user in several steps", { tags: "long" }, async () => {
    const { world, second, kept, gone, id } = await workedTwice();
    const copies = `
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
      SELECT substr(m.id, 1, 14) || printf('%016d', i), m.workspace_id, m.contact_seq, m.connection_id, m.from_contact, m.address,
        m.body, m.state, m.author_id, m.created_at
      FROM n CROSS JOIN messages m WHERE m.author_id = ?`;
    const columns =
      "id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, author_id, created_at";
    await onShard(second, `INSERT INTO messages (${columns}) ${copies}`, gone.userId);
    await onShard(
      second,
      `INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, assignee_id, created_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       SELECT v.id || i, v.workspace_id, -v.contact_seq - i, v.connection_id, v.channel, '', i, '', v.assignee_id, 1
       FROM n CROSS JOIN conversations v WHERE v.id = ?`,
      id,
    );
    await kept.signIn();
    const left = [];
    for (let minute = 0; minute < 4; minute++) {
      await run(world);
      left.push(await namings(second, gone.userId));
    }
    const [half = 0, most = 0] = left;
    expect(half).toBeGreaterThan(most);
    expect(left.slice(2)).toEqual([expect.any(Number), 0]);
    expect(new Set((await assigned(second)).map((event) => event.id)).size).toBe(601);
  });
});
