import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { archive, costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const newContact = async (customer: Customer): Promise<string> =>
  (await customer.send(phoneEnding("1234"))).body.contact_id;

const get = async (customer: Customer, id: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts/${id}`)).body.contact;

const suppressions = (customer: Customer) =>
  onShard(customer, "SELECT key, opted_out_at FROM suppressions WHERE workspace_id = ?", customer.workspaceId);

describe("Contacts", () => {
  it("A contact is returned with all its fields", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const at = new Date().toISOString();
    const { contact_id } = (await customer.send(phone)).body;
    expect(await get(customer, contact_id)).toEqual({
      id: contact_id,
      name: null,
      phone,
      email: null,
      company: null,
      status: "new",
      lifecycle_stage: "lead",
      source: "api",
      is_unsubscribed: false,
      marketing_opt_out: false,
      is_archived: false,
      address_as: null,
      tags: [],
      custom_fields: {},
      external_ids: [],
      created_at: at,
      updated_at: at,
    });
  });

  it("An archived contact can be read by id", async () => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    await archive(customer, id);
    expect((await get(customer, id)).is_archived).toBe(true);
  });

  it.each(["PATCH", "PUT"])("A change to a contact affects only the sent fields (%s)", async (method) => {
    const world = new World();
    const customer = await world.customer();
    const id = await newContact(customer);
    const before = await get(customer, id);
    world.advance(1000);
    const named = await customer.call(method, `/contacts/${id}`, { name: "  Zoë 😀 " });
    expect(named.status).toBe(200);
    const updated_at = new Date().toISOString();
    expect(named.body.contact).toEqual({ ...before, name: "Zoë 😀", updated_at });
    const opted = await customer.call(method, `/contacts/${id}`, { is_unsubscribed: true });
    expect(opted.body.contact).toMatchObject({ name: "Zoë 😀", is_unsubscribed: true });
    const both = await customer.call(method, `/contacts/${id}`, { name: null, is_unsubscribed: false });
    expect(both.body.contact).toMatchObject({ name: null, is_unsubscribed: false });
    expect(await get(customer, id)).toEqual(both.body.contact);
  });

  it("A contact stays unchanged if no field is sent", async () => {
    const world = new World();
    const customer = await world.customer();
    const id = await newContact(customer);
    const before = await get(customer, id);
    world.advance(1000);
    const answer = await customer.call("PATCH", `/contacts/${id}`, {});
    expect([answer.status, answer.body.contact]).toEqual([200, before]);
    expect(costOf(answer)).toMatchObject({ trips: 1, rows_written: 0 });
  });

  it("An opt-out is stored for the contact's number and id, and is removed when the person opts in", async () => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    const { phone } = await get(customer, id);
    for (let twice = 0; twice < 2; twice++) await customer.call("PATCH", `/contacts/${id}`, { is_unsubscribed: true });
    expect(new Set((await suppressions(customer)).map(({ key }) => key))).toEqual(new Set([phone, id]));
    for (let twice = 0; twice < 2; twice++) await customer.call("PATCH", `/contacts/${id}`, { is_unsubscribed: false });
    expect(await suppressions(customer)).toEqual([]);
  });

  it("Concurrent changes to different fields of a contact are all stored", async () => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    await Promise.all([
      ...Array.from({ length: 10 }, () => customer.call("PATCH", `/contacts/${id}`, { name: "Ann" })),
      ...Array.from({ length: 10 }, () => customer.call("PUT", `/contacts/${id}`, { is_unsubscribed: true })),
    ]);
    expect(await get(customer, id)).toMatchObject({ name: "Ann", is_unsubscribed: true });
  });

  it("A contact accepts a name of 200 characters and rejects a name of 201 characters", async () => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    const name = "😀".repeat(200);
    const answer = await customer.call("PATCH", `/contacts/${id}`, { name: ` ${name} ` });
    expect(answer.body.contact.name).toBe(name);
    const longer = await customer.call("PATCH", `/contacts/${id}`, { name: `${name}!` });
    expect(longer.body.error.details).toMatchObject([{ path: "name", code: "too_big" }]);
  });

  it.each([
    [{ name: "" }, "name too_small"],
    [{ name: "  " }, "name too_small"],
    [{ name: 7 }, "name invalid_type"],
    [{ name: "a\0" }, "name invalid_characters"],
    [{ name: "\ud800" }, "name invalid_characters"],
    [{ is_unsubscribed: null }, "is_unsubscribed invalid_type"],
    [{ is_unsubscribed: "true" }, "is_unsubscribed invalid_type"],
    [{ nmae: "Ann" }, "nmae unknown_field"],
  ])("A contact with the values %j is rejected", async (body, fault) => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    const before = await get(customer, id);
    for (const method of ["PATCH", "PUT"]) {
      const answer = await customer.call(method, `/contacts/${id}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, "validation_failed"]);
      const faults = answer.body.error.details.map(({ path, code }: Answer["body"]) => `${path} ${code}`);
      expect(faults).toEqual([fault]);
    }
    expect(await get(customer, id)).toEqual(before);
  });

  it("A request with an invalid contact returns every error at once", async () => {
    const customer = await new World().customer();
    const id = await newContact(customer);
    const answer = await customer.call("PATCH", `/contacts/${id}`, { name: "", is_unsubscribed: 1, other: 1 });
    expect(answer.body.error.details.map(({ path }: Answer["body"]) => path).toSorted()).toEqual([
      "is_unsubscribed",
      "name",
      "other",
    ]);
  });

  it("A contact of another workspace returns 404", async () => {
    const world = new World();
    const [owner, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const id = await newContact(owner);
    const before = await get(owner, id);
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "Eve", is_unsubscribed: true }],
      ["PUT", { name: "Eve" }],
    ] as const) {
      const unknown = await stranger.call(method, "/contacts/ct_01jx00000000000000000000zz", body);
      const foreign = await stranger.call(method, `/contacts/${id}`, body);
      expect([foreign.status, foreign.body.error.code]).toEqual([404, "not_found"]);
      expect(foreign.body.error).toEqual(unknown.body.error);
    }
    expect(await get(owner, id)).toEqual(before);
    expect(await suppressions(stranger)).toEqual([]);
  });

  it("Reading a contact takes one round trip and few rows", async () => {
    const customer = await new World().customer();
    await customer.receive("user.1", "Hi");
    const id = await newContact(customer);
    const cost = costOf(await customer.call("GET", `/contacts/${id}`));
    expect(cost["trips"]).toBe(1);
    expect(cost["rows_read"]).toBeLessThanOrEqual(8);
  });
});
