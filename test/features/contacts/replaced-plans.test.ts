import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { campaign } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { takeRows } from "../../support/contact-import.ts";
import { draftOf } from "../../support/drafts.ts";
import { sampleAndRest } from "../../support/long.ts";
import { contactsOf, deliver, messageFrom } from "../../support/provider-events.ts";
import { onShard } from "../../support/storage.ts";
import { createTemplate } from "../../support/templates.ts";
import { type Customer, World } from "../../support/world.ts";

// The first test that signs in loads the password hashing.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(stopClock);

/** Numbers of one person, before and after the country replaced its numbering plan. */
const people = [
  ["Benin", "+22995123456", "+2290195123456"],
  ["Ivory Coast, Orange", "+22507123456", "+2250707123456"],
  ["Ivory Coast, Moov", "+22540123456", "+2250140123456"],
  ["Ivory Coast, MTN", "+22545123456", "+2250545123456"],
  ["Brazil", "+551187654321", "+5511987654321"],
  ["Mexico", "+5215512345678", "+525512345678"],
  ["Argentina", "+541123456789", "+5491123456789"],
] as const;

const isFirst = (_: unknown, index: number) => index === 0;

const newCustomer = () => new World().customer();

const templateOf = (customer: Customer) => createTemplate(customer, "Hi");

describe.each(sampleAndRest(people, isFirst))("Replaced numbering plans", ({ some: countries, options }) => {
  describe.each(countries)("People of %s with an old and a new number", options, (_, old, current) => {
    it.each([
      ["old", old, current],
      ["new", current, old],
    ])(
      "After a person has written from the %s number, all writes to the old or the new number change one contact",
      async (_which, from, other) => {
        const customer = await newCustomer();
        await deliver(customer, [messageFrom({ phone: from, name: "Awa" }, "Hello")]);
        const [{ id }] = await contactsOf(customer);
        for (const phone of [from, other, from.slice(1), other.slice(1)]) {
          const upsert = await customer.call("POST", "/contacts", { phone, company: "Acme" });
          expect(upsert.body).toMatchObject({ matched_by: "phone", contact: { id } });
          const batch = await customer.call("POST", "/contacts/batch", { contacts: [{ phone, name: `Awa ${phone}` }] });
          expect(batch.body.results).toMatchObject([{ status: "updated", contact_id: id }]);
          expect(await customer.call("PATCH", `/contacts/${id}`, { phone })).toMatchObject({ status: 200 });
        }
        await customer.receive(other, "Hello again");
        expect(await contactsOf(customer)).toMatchObject([{ id }]);
      },
    );

    it("A person with an old and a new number receives messages, templates and campaign tests at either number", async () => {
      const customer = await newCustomer();
      await customer.receive(old, "Hello");
      const [{ id }] = await contactsOf(customer);
      const template = await templateOf(customer);
      const draft = await draftOf(customer);
      for (const to of [old, current]) {
        const sent = await Promise.all([
          customer.send(to),
          customer.call("POST", `/templates/${template}/send`, { to }),
          customer.call("POST", `/campaigns/${draft}/test`, { to }),
        ]);
        expect(sent.map(({ status }) => status)).toEqual([202, 202, 202]);
        for (const { body } of sent)
          expect(await customer.message(body.message_id)).toMatchObject({ contact_id: id, to });
      }
      expect(await campaign(customer, draft)).toMatchObject({ status: "draft" });
    });

    it("A person with an old and a new number is opted out at both numbers", async () => {
      const customer = await newCustomer();
      const template = await templateOf(customer);
      await customer.receive(old, "STOP");
      for (const to of [old, current])
        expect(await customer.call("POST", `/templates/${template}/send`, { to })).toMatchObject({
          status: 422,
          body: { error: { code: "unsubscribed" } },
        });
      await customer.receive(current, "START");
      expect((await customer.call("POST", `/templates/${template}/send`, { to: old })).status).toBe(202);
    });

    it("A person with an old and a new number is found by either number in searches, segments and custom fields", async () => {
      const customer = await newCustomer();
      await customer.call("POST", "/custom-fields", { field_key: "second", label: "Second", type: "phone" });
      for (const stored of [old, current]) {
        await customer.call("POST", "/contacts", { phone: stored, custom_fields: { second: stored } });
        const [{ id }] = await contactsOf(customer);
        for (const value of [old, current, old.slice(1)]) {
          const search = `/contacts?search=${encodeURIComponent(value)}`;
          expect((await customer.call("GET", search)).body.contacts).toMatchObject([{ id }]);
          const filter = { match: "all", conditions: [{ field: "phone", op: "eq", value }] };
          const { segment } = (await customer.call("POST", "/segments", { name: `${stored} ${value}`, filter })).body;
          expect((await customer.call("GET", `/segments/${segment.id}/contacts`)).body.contacts).toMatchObject([
            { id },
          ]);
        }
      }
    });
  });
});

it("An import updates people by their old and new numbers", async () => {
  const customer = await newCustomer();
  const agent = await customer.member("agent");
  for (const [, old] of people) await customer.receive(old, "Hello");
  for (const spelling of [1, 2] as const) {
    const rows = people.map((person) => [person[spelling], `Awa ${spelling}`]);
    const { body } = await takeRows(agent, customer, ["phone", "name"], rows);
    expect(body.counts).toMatchObject({ created: 0, failed: 0 });
    const contacts = await contactsOf(customer);
    expect(contacts.map(({ name }) => name)).toEqual(people.map(() => `Awa ${spelling}`));
  }
});

/** Earlier versions computed this key for a contact's number. */
const storeFormerKey = (customer: Customer, id: string, key: string) =>
  onShard(customer, "UPDATE contacts SET phone_key = ? WHERE id = ?", key, id);

async function upgrade(customer: Customer): Promise<void> {
  const names = ["replaced-number-plans", "former-number-keys"];
  for (const each of names) {
    const migration = env.TEST_MIGRATIONS.find(({ name }) => name.includes(each));
    expect(migration).toBeDefined();
    for (const query of migration?.queries ?? []) await onShard(customer, query);
  }
}

describe.each(sampleAndRest(people.slice(0, 4), isFirst))(
  "Contacts stored under old numbers",
  ({ some: countries, options }) => {
    it.each(countries)(
      "A contact stored under an old number is found by both numbers before the upgrade of its row (%s)",
      options,
      async (_, old, current) => {
        const customer = await newCustomer();
        const { id } = (await customer.call("POST", "/contacts", { phone: old })).body.contact;
        await storeFormerKey(customer, id, old);
        expect(await customer.send(current)).toMatchObject({ status: 202, body: { contact_id: id } });
        expect(await customer.send(old)).toMatchObject({ status: 202, body: { contact_id: id } });
        const upsert = await customer.call("POST", "/contacts", { phone: current, name: "Awa" });
        expect(upsert.body).toMatchObject({ matched_by: "phone", contact: { id } });
        await storeFormerKey(customer, id, old);
        await customer.receive(current, "Hello");
        await customer.receive(old, "Hello");
        expect(await contactsOf(customer)).toMatchObject([{ id }]);
      },
    );

    it.each(countries)(
      "A contact stored under an old number merges with the contact of the new number after the person writes (%s)",
      options,
      async (_, old, current) => {
        const customer = await newCustomer();
        const { id: first } = (await customer.call("POST", "/contacts", { phone: old, name: "Awa" })).body.contact;
        await storeFormerKey(customer, first, "+15550000000");
        const { id: second } = (await customer.call("POST", "/contacts", { phone: current })).body.contact;
        await storeFormerKey(customer, first, old);
        expect(second).not.toBe(first);
        const upsert = await customer.call("POST", "/contacts", { phone: old, company: "Acme" });
        expect(upsert.body).toMatchObject({ contact: { id: second } });
        await customer.receive(old, "Hello");
        expect(await contactsOf(customer)).toMatchObject([{ name: "Awa", company: "Acme" }]);
      },
    );

    it.each(countries)(
      "A contact stored under an old number keeps its opt-out and its open window after the upgrade (%s)",
      options,
      async (_, old, current) => {
        const customer = await newCustomer();
        const template = await templateOf(customer);
        await customer.receive(old, "STOP");
        const [{ id }] = await contactsOf(customer);
        const { workspaceId } = customer;
        await onShard(customer, "DELETE FROM suppressions WHERE workspace_id = ? AND key = ?", workspaceId, current);
        await onShard(customer, "DELETE FROM suppressions WHERE workspace_id = ? AND key = ?", workspaceId, id);
        await onShard(customer, "INSERT INTO suppressions VALUES (?, ?, 1)", workspaceId, old);
        await onShard(customer, "UPDATE conversations SET wrote_from_key = ? WHERE workspace_id = ?", old, workspaceId);
        await storeFormerKey(customer, id, old);
        await upgrade(customer);
        for (const to of [old, current])
          expect(await customer.call("POST", `/templates/${template}/send`, { to })).toMatchObject({
            status: 422,
            body: { error: { code: "unsubscribed" } },
          });
        // The person wrote, so a free text is allowed.
        expect(await customer.send(old)).toMatchObject({ status: 202, body: { contact_id: id } });
        const [row] = await onShard(customer, "SELECT phone_key AS k FROM contacts WHERE id = ?", id);
        expect(row).toMatchObject({ k: current });
      },
    );
  },
);
