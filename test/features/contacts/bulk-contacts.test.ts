import { beforeEach, describe, expect, it } from "vitest";
import { bulk, eventsBy, finishedJob, jobOf, newContacts, totalOf } from "../../support/bulk.ts";
import { stopClock } from "../../support/clock.ts";
import { readLog } from "../../support/read-log.ts";
import { type Answer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Bulk actions", () => {
  it("A bulk action adds tags to the contacts that match a filter, and each contact has an event with the caller as actor", async () => {
    const customer = await new World().customer();
    const ids = await newContacts(customer, 600, { status: "hot" });
    await newContacts(customer, 3, { email: "cold@example.com", status: "cold" });
    const before = (await readLog(customer)).length;
    const job = await finishedJob(customer, { filter: { status: "hot" }, action: "add_tags", tags: ["VIP", "New"] });
    expect(job).toMatchObject({
      action: "add_tags",
      status: "completed",
      total: 600,
      done: 600,
      failed: 0,
      error: null,
    });
    expect(await totalOf(customer, "tag=vip")).toBe(600);
    expect(await totalOf(customer, "tag=new")).toBe(600);
    const updates = eventsBy((await readLog(customer)).slice(before), "contact.updated");
    expect(new Set(updates.map(({ id }) => id))).toEqual(new Set(ids));
    expect(updates).toHaveLength(600);
    expect(new Set(updates.map(({ actor }) => actor))).toEqual(new Set([`api_key:${customer.keyId}`]));
    expect(updates[0]?.changes).toEqual({ tags: [[], ["VIP", "New"]] });
  });

  it("A bulk action removes tags, even the tag that its filter requires", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 300, { tags: ["VIP", "Old"] });
    const job = await finishedJob(customer, { filter: { tag: "vip" }, action: "remove_tags", tags: ["vip"] });
    expect(job).toMatchObject({ status: "completed", total: 300, done: 300 });
    expect([await totalOf(customer, "tag=vip"), await totalOf(customer, "tag=old")]).toEqual([0, 300]);
  });

  it("A bulk action sets fields, and clears fields whose value is null", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
    const [id, other] = await newContacts(customer, 2, {
      company: "Old",
      status: "hot",
      custom_fields: { plan: "free" },
    });
    const set = { company: "Acme", status: null, custom_fields: { plan: "pro" } };
    const job = await finishedJob(customer, { ids: [id, id], action: "set", set });
    expect(job).toMatchObject({ status: "completed", total: 1, done: 1 });
    expect((await customer.call("GET", `/contacts/${id}`)).body.contact).toMatchObject({
      company: "Acme",
      status: "new",
      custom_fields: { plan: "pro" },
    });
    expect((await customer.call("GET", `/contacts/${other}`)).body.contact.company).toBe("Old");
    expect(await totalOf(customer, "search=acme")).toBe(1);
  });

  it("A bulk action archives contacts and does not change archived contacts", async () => {
    const customer = await new World().customer();
    const [first, second] = await newContacts(customer, 2);
    await customer.call("DELETE", `/contacts/${first}`);
    const before = (await readLog(customer)).length;
    const job = await finishedJob(customer, { ids: [first, second], action: "archive" });
    expect(job).toMatchObject({ status: "completed", total: 2, done: 2 });
    expect([await totalOf(customer, ""), await totalOf(customer, "archived=true")]).toEqual([0, 2]);
    expect((await readLog(customer)).slice(before)).toMatchObject([
      { type: "contact.archived", id: second, changes: { is_archived: [false, true] } },
    ]);
  });

  it("A bulk action opts people out, so that messages to their phone numbers are rejected", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone: to });
    expect(await finishedJob(customer, { filter: { archived: false }, action: "opt_out" })).toMatchObject({ done: 1 });
    expect((await customer.send(to)).body.error.code).toBe("unsubscribed");
    expect(eventsBy(await readLog(customer), "contact.opted_out")).toHaveLength(1);
  });

  it("A bulk action completes immediately if no contact matches, and does not change contacts that are created after the request", async () => {
    const customer = await new World().customer();
    const empty = await bulk(customer, { filter: { tag: "nobody" }, action: "archive" });
    expect(empty.body.job).toMatchObject({ status: "completed", total: 0, done: 0 });
    await newContacts(customer, 2);
    const started = await bulk(customer, { filter: { archived: false }, action: "add_tags", tags: ["VIP"] });
    await newContacts(customer, 3, { email: "later@example.com" });
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", total: 2, done: 2 });
  });

  it("A bulk action is listed as a job of the workspace, newest first", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 1);
    const archived = await finishedJob(customer, { filter: { archived: false }, action: "archive" });
    customer.world.advance(1);
    const started = (await bulk(customer, { filter: { archived: "true" }, action: "opt_out" })).body.job;
    expect(started.total).toBe(1);
    expect((await customer.call("GET", "/jobs")).body.jobs).toEqual([started, archived]);
    expect((await customer.call("GET", "/jobs?status=running")).body.jobs).toEqual([started]);
    const { next_cursor: cursor } = (await customer.call("GET", "/jobs?limit=1")).body;
    expect((await customer.call("GET", `/jobs?limit=1&cursor=${cursor}`)).body).toMatchObject({
      jobs: [archived],
      next_cursor: null,
    });
    const elsewhere = await customer.call("GET", `/canned-replies?cursor=${cursor}`);
    expect([elsewhere.status, elsewhere.body.error.details[0].path]).toEqual([400, "query.cursor"]);
    const stranger = await customer.world.customer();
    expect((await stranger.call("GET", "/jobs")).body.jobs).toEqual([]);
    expect((await stranger.call("GET", `/jobs/${archived.id}`)).status).toBe(404);
  });
});

describe("Contacts that cannot be changed", () => {
  it("A bulk action counts a contact as failed if the contact would have too many tags", async () => {
    const customer = await new World().customer();
    const tags = Array.from({ length: 50 }, (_, index) => `Tag ${index}`);
    const [full] = await newContacts(customer, 1, { tags });
    const [other] = await newContacts(customer, 1, { email: "other@example.com" });
    const job = await finishedJob(customer, { ids: [full, other], action: "add_tags", tags: ["One more"] });
    expect(job).toMatchObject({ status: "completed", total: 2, done: 1, failed: 1 });
    expect((await customer.call("GET", `/contacts/${full}`)).body.contact.tags).toHaveLength(50);
    const same = await finishedJob(customer, { ids: [full], action: "add_tags", tags: ["Tag 1"] });
    expect(same).toMatchObject({ done: 1, failed: 0 });
  });

  it("A bulk action counts a contact as failed if the contact was merged into another contact", async () => {
    const customer = await new World().customer();
    const [one, other] = await newContacts(customer, 2);
    const started = await bulk(customer, { ids: [one, other], action: "archive" });
    await customer.call("POST", `/contacts/${one}/merge`, { from: other });
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", total: 2, done: 1, failed: 1 });
  });

  it("A bulk action fails if its tag or field was deleted", async () => {
    const customer = await new World().customer();
    const plan = { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro"] };
    const field = (await customer.call("POST", "/custom-fields", plan)).body.custom_field;
    const tag = (await customer.call("POST", "/tags", { name: "VIP" })).body.tag;
    await newContacts(customer, 2);
    const all = { filter: { archived: false } };
    const tagging = await bulk(customer, { ...all, action: "add_tags", tags: ["VIP"] });
    const setting = await bulk(customer, { ...all, action: "set", set: { custom_fields: { plan: "pro" } } });
    const removing = await bulk(customer, { ...all, action: "remove_tags", tags: ["VIP"] });
    await customer.call("DELETE", `/tags/${tag.id}`);
    await customer.call("PATCH", `/custom-fields/${field.id}`, { options: ["free"] });
    await customer.world.queues.deliverDue(customer.world.env);
    for (const started of [tagging, setting]) {
      const job = await jobOf(customer, started);
      expect(job).toMatchObject({ status: "failed", done: 0, failed: 0, error: { code: "invalid_state" } });
    }
    expect(await jobOf(customer, removing)).toMatchObject({ status: "completed", done: 2 });
  });

  it("A bulk action continues if the tag of its filter is renamed", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 2, { tags: ["VIP"] });
    const started = await bulk(customer, { filter: { tag: "VIP" }, action: "archive" });
    const [tag] = (await customer.call("GET", "/tags")).body.tags;
    await customer.call("PATCH", `/tags/${tag.id}`, { name: "Very important" });
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await jobOf(customer, started)).toMatchObject({ done: 2 });
  });
});

describe("Invalid bulk actions", () => {
  it("An invalid bulk action returns every error at once", async () => {
    const customer = await new World().customer();
    const [id] = await newContacts(customer, 1);
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const paths = async (body: object): Promise<string[]> => {
      const { status, body: answer } = await bulk(customer, body);
      expect(status).toBe(400);
      return answer.error.details.map(({ path }: Answer["body"]) => path).toSorted();
    };
    expect(await paths({ action: "archive" })).toEqual(["ids"]);
    expect(await paths({ action: "archive", ids: [id], filter: { archived: true } })).toEqual(["filter"]);
    expect(await paths({ action: "archive", filter: {} })).toEqual(["filter"]);
    expect(await paths({ action: "archive", filter: { status: "hot", colour: "red" } })).toEqual(["filter.colour"]);
    expect(await paths({ action: "archive", filter: { tag: "" } })).toEqual(["filter.tag"]);
    expect(await paths({ action: "archive", ids: [] })).toEqual(["ids"]);
    expect(await paths({ action: "archive", ids: ["x".repeat(101)] })).toEqual(["ids.0"]);
    expect(await paths({ action: "archive", ids: [id], tags: ["VIP"], set: { name: "A" } })).toEqual(["set", "tags"]);
    expect(await paths({ action: "add_tags", ids: [id] })).toEqual(["tags"]);
    expect(await paths({ action: "set", ids: [id], set: {} })).toEqual(["set"]);
    expect(await paths({ action: "set", ids: [id], set: { name: "A", phone: "+14155550100" } })).toEqual(["set.phone"]);
    expect(await paths({ action: "remove_tags", ids: [id], tags: ["A", "B"] })).toEqual(["tags.0", "tags.1"]);
    const set = { custom_fields: { age: "old", size: 1 } };
    expect(await paths({ action: "set", ids: [id], set })).toEqual(["set.custom_fields.age", "set.custom_fields.size"]);
    expect((await customer.call("GET", "/jobs")).body.jobs).toEqual([]);
  });

  it("A bulk action with an unknown id or an id of another workspace returns 404", async () => {
    const customer = await new World().customer();
    const stranger = await customer.world.customer();
    const [own] = await newContacts(customer, 1);
    const [foreign] = await newContacts(stranger, 1);
    for (const id of [foreign, "ct_unknown"]) {
      const { status, body } = await bulk(customer, { ids: [own, id], action: "archive" });
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
    expect(await totalOf(customer, "")).toBe(1);
  });
});
