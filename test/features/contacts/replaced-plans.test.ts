import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

/** Spellings of one person, before and after the country replaced its numbering plan. */
const people = [
  ["Benin", "+22995123456", "+2290195123456"],
  ["Ivory Coast", "+22507123456", "+2250707123456"],
  ["Ivory Coast (Moov)", "+22501123456", "+2250101123456"],
  ["Ivory Coast (MTN)", "+22545123456", "+2250545123456"],
  ["Brazil", "+551187654321", "+5511987654321"],
  ["Mexico", "+5215512345678", "+525512345678"],
] as const;

const contactsOf = async (customer: Customer) => (await customer.call("GET", "/contacts?limit=100")).body.contacts;

describe("A person whose country replaced its numbers", () => {
  it.each(people)("is one contact by both spellings, through every door (%s)", async (_, old, now) => {
    const customer = await new World().customer();
    await customer.receive(old, "Hello", "Awa");
    const [{ id }] = await contactsOf(customer);
    const { call } = { call: customer.call.bind(customer) };
    for (const phone of [old, now, old.slice(1)]) {
      expect((await call("POST", "/contacts", { phone, company: "Acme" })).body).toMatchObject({ matched_by: "phone" });
      const batch = await call("POST", "/contacts/batch", { contacts: [{ phone, name: `Awa ${phone}` }] });
      expect(batch.body.results).toMatchObject([{ status: "updated", contact_id: id }]);
      expect((await call("PATCH", `/contacts/${id}`, { phone })).body.contact.id).toBe(id);
    }
    const template = (await call("POST", "/templates", { name: "Hi", body: "Hi" })).body.template;
    for (const to of [old, now]) {
      expect(await customer.send(to)).toMatchObject({ status: 202, body: { contact_id: id } });
      const sent = await call("POST", `/templates/${template.id}/send`, { to });
      expect(sent).toMatchObject({ status: 202, body: { contact_id: id } });
    }
    await call("POST", "/custom-fields", { field_key: "second", label: "Second", type: "phone" });
    expect((await call("PATCH", `/contacts/${id}`, { custom_fields: { second: old } })).status).toBe(200);
    await call("POST", "/contacts", { phone: now, is_unsubscribed: true });
    const refused = await call("POST", `/templates/${template.id}/send`, { to: old });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "unsubscribed" } } });
    const filter = { match: "all", conditions: [{ field: "phone", op: "eq", value: old }] };
    const { segment } = (await call("POST", "/segments", { name: "One", filter })).body;
    expect((await call("GET", `/segments/${segment.id}/contacts`)).body.contacts).toMatchObject([{ id }]);
    expect(await contactsOf(customer)).toHaveLength(1);
  });

  it("keeps a contact and an opt-out that an earlier version stored", async () => {
    const customer = await new World().customer();
    const [, old, now] = people[0];
    const { body } = await customer.call("POST", "/contacts", { phone: old });
    const { workspaceId } = customer;
    await onShard(customer, "UPDATE contacts SET phone_key = ? WHERE workspace_id = ?", old, workspaceId);
    await onShard(customer, "INSERT INTO suppressions VALUES (?, '+22507123456', 1)", workspaceId);
    const migration = env.TEST_MIGRATIONS.find(({ name }) => name.includes("replaced-number-plans"));
    for (const query of migration?.queries ?? []) await onShard(customer, query);
    expect(await customer.send(now)).toMatchObject({ status: 202, body: { contact_id: body.contact.id } });
    expect(await customer.send("+2250707123456")).toMatchObject({
      status: 422,
      body: { error: { code: "unsubscribed" } },
    });
  });
});

it.each(["030 12", "+49 30 12", "+4930", "12345"])("%j is refused as a number", async (phone) => {
  const customer = await new World().customer();
  for (const [path, body] of [
    ["/contacts", { phone }],
    ["/messages", { to: phone, text: "Hi" }],
  ] as const)
    expect((await customer.call("POST", path, body)).status).toBe(400);
});
