import { describe, expect, it } from "vitest";
import { phoneEnding, World } from "../../support/world.ts";

const world = new World();

describe("Contact upserts", () => {
  it("A contact upsert creates a contact with defaults, and then updates it by phone and keeps unsent fields", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const created = await customer.call("POST", "/contacts", { phone, name: "Ada", company: "Acme", tags: ["VIP"] });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ created: true, updated: false, restored: false, matched_by: null });
    expect(created.body.contact).toMatchObject({
      phone,
      name: "Ada",
      company: "Acme",
      status: "new",
      lifecycle_stage: "lead",
      source: "api",
      email: null,
      is_unsubscribed: false,
      is_archived: false,
      tags: [{ name: "VIP" }],
      custom_fields: {},
      external_ids: [],
    });
    const again = await customer.call("POST", "/contacts", { phone, status: "hot", tags: ["vip", "Berlin"] });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ created: false, updated: true, matched_by: "phone" });
    expect(again.body.contact).toMatchObject({
      id: created.body.contact.id,
      name: "Ada",
      company: "Acme",
      status: "hot",
    });
    expect(again.body.contact.tags.map((tag: { name: string }) => tag.name)).toEqual(["VIP", "Berlin"]);
  });

  it("A contact upsert finds a contact by email in any case, and adds a phone that no contact has", async () => {
    const customer = await world.customer();
    const { body } = await customer.call("POST", "/contacts", { email: "Ada@Example.com" });
    const phone = phoneEnding("1234");
    const answer = await customer.call("POST", "/contacts", { email: "ada@example.COM", phone });
    expect(answer.body).toMatchObject({
      matched_by: "email",
      contact: { id: body.contact.id, phone, email: "ada@example.COM" },
    });
  });

  it("A contact upsert with the phone and email of different contacts writes nothing, and the error names both contacts", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone })).body.contact;
    const b = (await customer.call("POST", "/contacts", { email: "b@example.com" })).body.contact;
    const answer = await customer.call("POST", "/contacts", {
      phone,
      email: "B@example.com",
      name: "Neither",
      tags: ["New"],
    });
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({
      code: "conflict",
      details: { field: "email", contact_id: b.id, matched_contact_id: a.id },
    });
    expect((await customer.call("GET", `/contacts/${a.id}`)).body.contact).toEqual(a);
    expect((await customer.call("GET", "/tags")).body.tags).toEqual([]);
  });

  it("An upsert with only stored values returns `updated`, and keeps the ETag and the time of change", async () => {
    const customer = await world.customer();
    const sent = { phone: phoneEnding("1234"), name: "Ada", tags: ["VIP"] };
    const { contact } = (await customer.call("POST", "/contacts", sent)).body;
    world.advance(1000);
    const again = await customer.call("POST", "/contacts", sent);
    expect([again.body.updated, again.body.contact, again.headers.get("ETag")]).toEqual([true, contact, '"1"']);
    const { results } = (await customer.call("POST", "/contacts/batch", { contacts: [sent] })).body;
    expect(results[0].status).toBe("updated");
    expect((await customer.call("GET", `/contacts/${contact.id}`)).body.contact).toEqual(contact);
  });

  it("With `update: false`, an upsert returns the stored contact unchanged, even if the email belongs to another contact", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone, name: "Ada" })).body.contact;
    await customer.call("POST", "/contacts", { email: "b@example.com" });
    const answer = await customer.call("POST", "/contacts", {
      phone,
      email: "b@example.com",
      name: "Eve",
      update: false,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ created: false, updated: false, contact: a });
  });

  it("A contact upsert restores the latest archived contact with the phone, and the contact stays opted out", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone, is_unsubscribed: true })).body.contact;
    expect((await customer.call("DELETE", `/contacts/${a.id}`)).body.contact.is_archived).toBe(true);
    const answer = await customer.call("POST", "/contacts", { phone });
    expect(answer.body).toMatchObject({
      created: false,
      restored: true,
      contact: { id: a.id, is_archived: false, is_unsubscribed: true },
    });
  });

  it("A contact upsert keeps the opt-out of a number that moves to another contact", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone, is_unsubscribed: true })).body.contact;
    await customer.call("DELETE", `/contacts/${a.id}`);
    await customer.call("POST", "/contacts", { email: "b@example.com" });
    const answer = await customer.call("POST", "/contacts", { phone, email: "b@example.com" });
    expect(answer.body).toMatchObject({ matched_by: "email", contact: { phone, is_unsubscribed: true } });
  });

  it.each([
    ["+5511987654321", "+551187654321"],
    ["+525512345678", "+5215512345678"],
    ["+541123456789", "+5491123456789"],
  ])("A contact upsert treats %s and %s as one person", async (one, other) => {
    const customer = await world.customer();
    const first = await customer.call("POST", "/contacts", { phone: one });
    const second = await customer.call("POST", "/contacts", { phone: other, update: false });
    expect(second.body.contact.id).toBe(first.body.contact.id);
  });

  async function expectOneContact(count: number, fields: number): Promise<void> {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const keys = Array.from({ length: fields }, (_, index) => `field_${index}`);
    for (const key of keys)
      await customer.call("POST", "/custom-fields", { field_key: key, label: key, type: "number" });
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        customer.call("POST", "/contacts", { phone, custom_fields: { [`field_${index % fields}`]: index % fields } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(count - 1);
    const [contact, ...others] = (await customer.call("GET", "/contacts")).body.contacts;
    expect(others).toEqual([]);
    expect(contact.custom_fields).toEqual(Object.fromEntries(keys.map((key, index) => [key, index])));
  }

  it("Twenty concurrent contact upserts create one contact and keep every custom field", () => expectOneContact(20, 5));

  it("Two hundred concurrent contact upserts create one contact and keep every custom field", { tags: "long" }, () =>
    expectOneContact(200, 50),
  );

  it("A repeated contact upsert returns the stored response, even if the contact has changed since", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const ask = { headers: { "Idempotency-Key": "one" } };
    const first = await customer.call("POST", "/contacts", { phone, name: "Ada" }, ask);
    await customer.call("PATCH", `/contacts/${first.body.contact.id}`, { name: "Eve" });
    const again = await customer.call("POST", "/contacts", { phone, name: "Ada" }, ask);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await customer.call("GET", `/contacts/${first.body.contact.id}`)).body.contact.name).toBe("Eve");
  });

  it.each([
    [{}, "phone", "required"],
    [{ phone: null, email: null }, "phone", "required"],
    [{ phone: "12" }, "phone", "invalid_phone"],
    [{ email: "nobody" }, "email", "invalid_format"],
    [{ email: "a@example.com", status: "tepid" }, "status", "invalid_value"],
    [{ email: "a@example.com", name: "x".repeat(201) }, "name", "too_big"],
    [{ email: "a@example.com", nick: "x" }, "nick", "unknown_field"],
    [{ email: "a@example.com", custom_fields: { plan: 1 } }, "custom_fields.plan", "unknown_field"],
    [{ email: "a@example.com", tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, "tags", "too_big"],
  ])("A contact upsert with %j is rejected", async (body, path, code) => {
    const customer = await world.customer();
    const answer = await customer.call("POST", "/contacts", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path, code }));
  });

  it("A contact upsert with a 51st tag is rejected", async () => {
    const customer = await world.customer();
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await customer.call("POST", "/contacts", { email: "a@example.com", tags: names });
    expect((await customer.call("POST", "/contacts", { email: "a@example.com", tags: names })).status).toBe(200);
    expect((await customer.call("POST", "/contacts", { email: "a@example.com", tags: ["one more"] })).status).toBe(400);
  });
});
