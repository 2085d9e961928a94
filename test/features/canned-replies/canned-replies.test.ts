import { describe, expect, it } from "vitest";
import { onShard } from "../../support/storage.ts";
import { logged } from "../../support/read-log.ts";
import { World } from "../../support/world.ts";

const world = new World();
const hours = { shortcut: "Hours", body: "Hello {{first_name|there}}, we are open." };

describe("Canned replies", () => {
  it("Canned replies can be created, read, listed, changed and deleted, and each change emits an event", async () => {
    const customer = await world.customer();
    const { events } = await logged(customer, async () => {
      const made = await customer.call("POST", "/canned-replies", hours);
      expect([made.status, made.headers.get("ETag")]).toEqual([201, '"1"']);
      const { id } = made.body.canned_reply;
      expect(made.body.canned_reply).toMatchObject({ ...hours, variables: ["first_name"] });
      expect(id).toMatch(/^crp_[0-9a-z]{26}$/);
      const at = `/canned-replies/${id}`;
      expect((await customer.call("GET", at)).body.canned_reply).toEqual(made.body.canned_reply);
      const changed = await customer.call("PATCH", at, { body: "We are open." });
      expect(changed.body.canned_reply).toMatchObject({ shortcut: "Hours", body: "We are open.", variables: [] });
      expect((await customer.call("GET", "/canned-replies")).body.canned_replies).toEqual([changed.body.canned_reply]);
      expect((await customer.call("DELETE", at)).body.canned_reply).toEqual(changed.body.canned_reply);
      expect([(await customer.call("GET", at)).status, (await customer.call("DELETE", at)).status]).toEqual([404, 404]);
    });
    expect(events.map(([type, , changes]) => [type, changes])).toEqual([
      ["canned_reply.created", { shortcut: [null, "Hours"], body: [null, hours.body] }],
      ["canned_reply.updated", { body: [hours.body, "We are open."] }],
      ["canned_reply.deleted", null],
    ]);
  });

  it("Two canned replies cannot have shortcuts that differ only in case, full-width letters or a leading slash", async () => {
    const customer = await world.customer();
    const { canned_reply: first } = (await customer.call("POST", "/canned-replies", hours)).body;
    const details = { field: "shortcut", canned_reply_id: first.id };
    for (const shortcut of ["hours", "/HOURS", "ｈours"]) {
      const refused = await customer.call("POST", "/canned-replies", { ...hours, shortcut });
      expect([refused.status, refused.body.error.details]).toEqual([409, details]);
    }
    const other = (await customer.call("POST", "/canned-replies", { ...hours, shortcut: "bye" })).body.canned_reply;
    const refused = await customer.call("PATCH", `/canned-replies/${other.id}`, { shortcut: "/hours" });
    expect([refused.status, refused.body.error.details]).toEqual([409, details]);
    const changed = await customer.call("PATCH", `/canned-replies/${first.id}`, { shortcut: "/hours" });
    expect([changed.status, changed.body.canned_reply.shortcut]).toEqual([200, "hours"]);
    const elsewhere = await world.customer();
    expect((await elsewhere.call("POST", "/canned-replies", hours)).status).toBe(201);
  });

  it("A canned reply returns its shortcut without the slash, but the slash counts in its length", async () => {
    const customer = await world.customer();
    const shortcut = "x".repeat(59);
    const tooLong = await customer.call("POST", "/canned-replies", { ...hours, shortcut: `/${shortcut}x` });
    expect(tooLong.status).toBe(400);
    const made = await customer.call("POST", "/canned-replies", { ...hours, shortcut: ` /${shortcut} ` });
    expect([made.status, made.body.canned_reply.shortcut]).toEqual([201, shortcut]);
    await onShard(customer, "UPDATE canned_replies SET shortcut = '/' || shortcut");
    expect((await customer.call("GET", "/canned-replies")).body.canned_replies).toEqual([made.body.canned_reply]);
  });

  it("Concurrent requests create one canned reply per shortcut, and return one response per Idempotency-Key", async () => {
    const customer = await world.customer();
    const create = (headers = {}) => customer.call("POST", "/canned-replies", hours, { headers });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const bye = () => customer.call("POST", "/canned-replies", { ...hours, shortcut: "bye" }, { headers });
    const repeats = await Promise.all(Array.from({ length: 4 }, bye));
    expect(new Set(repeats.map(({ status, body }) => `${status} ${body.canned_reply.id}`)).size).toBe(1);
  });

  it.each([
    [{ shortcut: "two words", body: "Hi" }, "shortcut"],
    [{ shortcut: "hi\u200b", body: "Hi" }, "shortcut"],
    [{ shortcut: "/\u202ehi", body: "Hi" }, "shortcut"],
    [{ shortcut: "h\u00adi", body: "Hi" }, "shortcut"],
    [{ shortcut: "//hours", body: "Hi" }, "shortcut"],
    [{ shortcut: "/", body: "Hi" }, "shortcut"],
    [{ shortcut: "a/b", body: "Hi" }, "shortcut"],
    [{ shortcut: "x".repeat(61), body: "Hi" }, "shortcut"],
    [{ shortcut: "hi", body: " " }, "body"],
    [{ shortcut: "hi", body: "Hello {{name" }, "body"],
    [{ shortcut: "hi", body: "{{1}} {{name}}" }, "body"],
    [{ shortcut: "hi" }, "body"],
    [{ body: "Hi" }, "shortcut"],
    [{ ...hours, name: "x" }, "name"],
  ])("A canned reply with %j is rejected with 400", async (body, path) => {
    const customer = await world.customer();
    const { status, body: answer } = await customer.call("POST", "/canned-replies", body);
    expect([status, answer.error.details[0].path]).toEqual([400, path]);
  });

  it("Canned replies of another workspace cannot be read, changed or deleted", async () => {
    const [owner, stranger] = [await world.customer(), await world.customer()];
    const { id } = (await owner.call("POST", "/canned-replies", hours)).body.canned_reply;
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { body: "Mine" } : undefined;
      expect((await stranger.call(method, `/canned-replies/${id}`, body)).status).toBe(404);
    }
    expect((await stranger.call("GET", "/canned-replies")).body.canned_replies).toEqual([]);
  });

  it("Canned replies are listed in pages, newest first", async () => {
    const customer = await world.customer();
    for (const shortcut of ["a", "b", "c"]) await customer.call("POST", "/canned-replies", { ...hours, shortcut });
    const first = (await customer.call("GET", "/canned-replies?limit=2")).body;
    const second = (await customer.call("GET", `/canned-replies?limit=2&cursor=${first.next_cursor}`)).body;
    const shortcuts = [...first.canned_replies, ...second.canned_replies].map(({ shortcut }) => shortcut);
    expect([shortcuts, second.next_cursor]).toEqual([["c", "b", "a"], null]);
  });
});
