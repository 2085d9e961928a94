import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { describe, expect, it } from "vitest";
import { archive, costOf, faultyWorld, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

const world = new World();
const trips = (answer: Answer) => costOf(answer)["trips"];
const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const contactsOf = async (customer: Customer) => (await customer.call("GET", "/contacts?limit=100")).body.contacts;
const addField = (customer: Customer, key: string) =>
  customer.call("POST", "/custom-fields", { field_key: key, label: key, type: "select", options: ["free"] });

describe("New contacts", () => {
  it("A new contact is created in one round trip, with tags, an opt-out and the stored response", async () => {
    const customer = await world.customer();
    await customer.call("POST", "/tags", { name: "Old" });
    const phone = phoneEnding("1234");
    const sent = { phone, email: "ada@example.com", name: "Ada", tags: ["old", "New"], is_unsubscribed: true };
    const answer = await customer.call("POST", "/contacts", sent, keyed("one"));
    expect([answer.status, trips(answer)]).toEqual([201, 1]);
    expect(answer.body).toMatchObject({ created: true, updated: false, restored: false, matched_by: null });
    expect(answer.body.contact).toMatchObject({
      phone,
      is_unsubscribed: true,
      tags: [{ name: "Old" }, { name: "New" }],
    });
    const again = await customer.call("POST", "/contacts", sent, keyed("one"));
    expect([again.status, again.body, trips(again)]).toEqual([201, answer.body, 1]);
    expect([again.headers.get("Idempotent-Replayed"), costOf(again)["rows_written"]]).toEqual(["true", 0]);
    expect(await contactsOf(customer)).toEqual([answer.body.contact]);
  });

  it("A new contact is created in one round trip after an earlier request has read the custom fields", async () => {
    const customer = await world.customer();
    await addField(customer, "plan");
    const make = (plan: string) =>
      customer.call("POST", "/contacts", { phone: phoneEnding("1234"), custom_fields: { plan } });
    expect(trips(await make("free"))).toBe(2);
    const known = await make("free");
    expect([known.body.contact.custom_fields, trips(known)]).toEqual([{ plan: "free" }, 1]);

    const { id } = (await customer.call("GET", "/custom-fields")).body.custom_fields[0];
    await customer.call("PATCH", `/custom-fields/${id}`, { options: ["free", "pro"] });
    expect((await make("pro")).body.contact.custom_fields).toEqual({ plan: "pro" });
    await customer.call("PATCH", `/custom-fields/${id}`, { options: ["pro"] });
    expect((await make("free")).body.error.details).toMatchObject([{ path: "custom_fields.plan" }]);
    await customer.call("DELETE", `/custom-fields/${id}`);
    expect((await make("pro")).body.error.details).toMatchObject([{ code: "unknown_field" }]);
    expect(await contactsOf(customer)).toHaveLength(3);
  });

  it("A new contact is created in one round trip, even if another workspace has the same person", async () => {
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const sent = { phone: phoneEnding("1234"), email: "ada@example.com", tags: ["VIP"] };
    const made = [await mine.call("POST", "/contacts", sent), await theirs.call("POST", "/contacts", sent)];
    expect(made.map((answer) => [answer.status, trips(answer)])).toEqual([
      [201, 1],
      [201, 1],
    ]);
    expect(await contactsOf(theirs)).toEqual([made[1]?.body.contact]);
  });

  it("50 concurrent requests create a new contact once, with the tags of all requests", { tags: "long" }, async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const tags = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const answers = await Promise.all(tags.map((tag) => customer.call("POST", "/contacts", { phone, tags: [tag] })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    const [contact, ...others] = await contactsOf(customer);
    expect(others).toEqual([]);
    expect(contact.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(tags.toSorted());
  });

  it("50 requests with one Idempotency-Key create a new contact once and receive the same response", async () => {
    const customer = await world.customer();
    const sent = { phone: phoneEnding("1234"), tags: ["VIP"] };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => customer.call("POST", "/contacts", sent, keyed("same"))),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
    expect(await contactsOf(customer)).toEqual([answers[0]?.body.contact]);
  });

  it.each(["before", "after"] as const)(
    "A new contact is created once if the storage fails %s the commit",
    async (when) => {
      const { world: faulty, faults } = faultyWorld();
      const customer = await faulty.customer();
      const sent = { phone: phoneEnding("1234"), tags: ["VIP"] };
      const make = () => customer.call("POST", "/contacts", sent, keyed("one"));
      faults.next(/INSERT INTO contacts/, when);
      expect((await make()).status).toBeGreaterThanOrEqual(500);
      expect(await contactsOf(customer)).toHaveLength(when === "before" ? 0 : 1);
      const answer = await make();
      expect([answer.status, answer.body.created, trips(answer)]).toEqual([201, true, 1]);
      expect(await contactsOf(customer)).toEqual([answer.body.contact]);
    },
  );
});

describe("Existing contacts", () => {
  it("An existing contact is updated in two round trips and keeps its number and tags", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const made = await customer.call("POST", "/contacts", { phone, tags: ["a"] });
    const answer = await customer.call("POST", "/contacts", { phone, email: "a@example.com", tags: ["b"] });
    expect([answer.status, answer.body.matched_by, trips(answer)]).toEqual([200, "phone", 2]);
    expect(answer.body.contact).toMatchObject({
      id: made.body.contact.id,
      email: "a@example.com",
      tags: [{ name: "a" }, { name: "b" }],
    });
  });

  it("An upsert of an archived contact restores the contact and creates no second contact", async () => {
    const customer = await world.customer();
    const sent = { phone: phoneEnding("1234"), email: "ada@example.com" };
    const { contact } = (await customer.call("POST", "/contacts", sent)).body;
    for (const known of [{ phone: sent.phone }, { email: "ADA@example.com" }]) {
      await archive(customer, contact.id);
      const answer = await customer.call("POST", "/contacts", { ...known, tags: ["Back"] });
      expect([answer.status, answer.body.restored, answer.body.contact.id]).toEqual([200, true, contact.id]);
    }
    expect(await contactsOf(customer)).toHaveLength(1);
  });

  it("An upsert whose phone and email belong to two different contacts fails and creates no tag", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone })).body.contact;
    const b = (await customer.call("POST", "/contacts", { email: "b@example.com" })).body.contact;
    const sent = { phone, email: "b@example.com", tags: ["New"], is_unsubscribed: true };
    const answer = await customer.call("POST", "/contacts", sent, keyed("one"));
    expect([answer.status, answer.body.error.details]).toEqual([
      409,
      { field: "email", contact_id: b.id, matched_contact_id: a.id },
    ]);
    expect((await customer.call("GET", "/tags")).body.tags).toEqual([]);
    expect(await onShard(customer, "SELECT key FROM idempotency WHERE actor = ?", customer.keyId)).toEqual([]);
    expect(await contactsOf(customer)).toEqual([b, a]);
  });
});

describe("Batches of contacts", () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      email: `c${index}@example.com`,
      tags: ["Import", `t${index % 3}`],
    }));

  it("A batch of new contacts is stored in one round trip, without its invalid rows", async () => {
    const customer = await world.customer();
    const contacts = [...people(CONTACTS_PER_PART - 2), { name: "Nobody" }, { ...people(1)[0], name: "First" }];
    const answer = await customer.call("POST", "/contacts/batch", { contacts }, keyed("one"));
    expect([answer.body.counts, trips(answer)]).toEqual([
      { created: CONTACTS_PER_PART - 2, updated: 1, unchanged: 0, failed: 1 },
      1,
    ]);
    const again = await customer.call("POST", "/contacts/batch", { contacts }, keyed("one"));
    expect([again.body, costOf(again)["rows_written"]]).toEqual([answer.body, 0]);
    const listed = await contactsOf(customer);
    expect(listed).toHaveLength(CONTACTS_PER_PART - 2);
    expect(listed.at(-1)).toMatchObject({ name: "First", tags: [{ name: "Import" }, { name: "t0" }] });
  });

  it("A contact batch is stored completely if one of its contacts already exists", async () => {
    const customer = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { email: "c7@example.com" })).body;
    const answer = await customer.call("POST", "/contacts/batch", { contacts: people(CONTACTS_PER_PART) });
    expect([answer.body.counts, trips(answer)]).toEqual([
      { created: CONTACTS_PER_PART - 1, updated: 1, unchanged: 0, failed: 0 },
      2,
    ]);
    expect(answer.body.results[7]).toMatchObject({ status: "updated", contact_id: contact.id });
    expect(await contactsOf(customer)).toHaveLength(CONTACTS_PER_PART);
  });

  it("A contact batch accepts an option that was added to a custom field after the fields were cached", async () => {
    const customer = await world.customer();
    const { id } = (await addField(customer, "plan")).body.custom_field;
    const store = (plan: string, email: string) =>
      customer.call("POST", "/contacts/batch", { contacts: [{ email, custom_fields: { plan } }] });
    expect((await store("free", "a@example.com")).body.counts.created).toBe(1);
    await customer.call("PATCH", `/custom-fields/${id}`, { options: ["free", "pro"] });
    expect((await store("pro", "b@example.com")).body.counts.created).toBe(1);
    expect((await store("none", "c@example.com")).body.counts.failed).toBe(1);
  });
});

describe("Contact changes", () => {
  it("A change to a contact costs one round trip, or two if it changes the phone or email", async () => {
    const customer = await world.customer();
    await addField(customer, "plan");
    const values = { custom_fields: { plan: "free" } };
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), ...values })).body;
    const change = (body: object, key: string) => customer.call("PATCH", `/contacts/${contact.id}`, body, keyed(key));
    const plain = { name: "Ada", tags: ["New"], is_unsubscribed: true, custom_fields: { plan: null } };
    const answer = await change(plain, "one");
    expect([answer.status, trips(answer)]).toEqual([200, 1]);
    expect(answer.body.contact).toMatchObject({ ...plain, tags: [{ name: "New" }], phone: contact.phone });
    const again = await change(plain, "one");
    expect([again.body, costOf(again)["rows_written"]]).toEqual([answer.body, 0]);
    expect(trips(await change({ email: "ada@example.com" }, "two"))).toBe(2);
    const shown = (await customer.call("GET", `/contacts/${contact.id}`)).body.contact;
    const back = await customer.call("PUT", `/contacts/${contact.id}`, { ...shown, company: "Acme" });
    expect([back.status, trips(back)]).toEqual([200, 2]);
  });

  it("A change to another workspace's contact is rejected and changes nothing", async () => {
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const { contact } = (await theirs.call("POST", "/contacts", { phone: phoneEnding("1234") })).body;
    const answer = await mine.call("PATCH", `/contacts/${contact.id}`, { name: "Eve", tags: ["x"] });
    expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
    expect(await contactsOf(theirs)).toEqual([contact]);
    expect((await mine.call("GET", "/tags")).body.tags).toEqual([]);
  });

  it("A change to a contact is rejected if the contact would have no phone, email or external id", async () => {
    const customer = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body;
    await onShard(customer, "UPDATE contacts SET phone = NULL, phone_key = NULL WHERE id = ?", contact.id);
    const answer = await customer.call("PATCH", `/contacts/${contact.id}`, { name: "Eve" });
    expect(answer.body.error.details).toMatchObject([{ path: "phone", code: "required" }]);
    const reached = await customer.call("PATCH", `/contacts/${contact.id}`, { email: "eve@example.com" });
    expect(reached.status).toBe(200);
  });
});
