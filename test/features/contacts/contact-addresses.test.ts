import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const upsert = (customer: Customer, contact: object) => customer.call("POST", "/contacts", contact);

const faultsOf = ({ body }: Answer): unknown =>
  body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

describe("Contact addresses", () => {
  it("Contact writes, custom fields and invitations reject an email address that cannot receive mail", async () => {
    const customer = await new World().customer();
    const { contact } = (await upsert(customer, { phone: "+14155550100" })).body;
    await customer.call("POST", "/custom-fields", { field_key: "billing", label: "Billing", type: "email" });
    for (const email of ["a@b", "a@..", "mailto:a@x.com", "a\u200b@example.com", "a\u0007@example.com", "\u2060"]) {
      expect(faultsOf(await upsert(customer, { email })), email).toEqual(["email invalid_format"]);
      const changed = await customer.call("PATCH", `/contacts/${contact.id}`, { email });
      expect(faultsOf(changed), email).toEqual(["email invalid_format"]);
      const { results } = (await customer.call("POST", "/contacts/batch", { contacts: [{ email }] })).body;
      expect(results[0], email).toMatchObject({ status: "failed", error: { code: "validation_failed" } });
      const field = await upsert(customer, { phone: "+14155550100", custom_fields: { billing: email } });
      expect(field.status, email).toBe(400);
      expect((await customer.manage("POST", "/invitations", { email, role: "agent" })).status, email).toBe(400);
    }
    expect((await upsert(customer, { email: "Jörg@exämple.de" })).body.contact.email).toBe("Jörg@exämple.de");
  });

  it("A contact is found by its phone number written with 00 or as a telephone link", async () => {
    const customer = await new World().customer();
    const { contact } = (await upsert(customer, { phone: "+49 170 1234567" })).body;
    for (const phone of ["0049 170 1234567", "tel:+49-170-1234567", "TEL:00491701234567"]) {
      const answer = await upsert(customer, { phone });
      expect(answer.body.contact).toMatchObject({ id: contact.id, phone: "+491701234567" });
      expect((await customer.send(phone)).body.contact_id).toBe(contact.id);
    }
    expect(faultsOf(await customer.send("49 170 1234567"))).toEqual(["to invalid_phone"]);
  });
});

describe("Contact names", () => {
  it("A contact's name must have a visible character", async () => {
    const customer = await new World().customer();
    for (const name of ["\u200b", "\u2060\ufeff \u00ad", "\u3164", "\u2800", "\u202e\u202c", "\ufe0f", "\u{e0041}"]) {
      const answer = await upsert(customer, { phone: "+14155550100", name });
      expect(answer.status, JSON.stringify(name)).toBe(400);
      expect((await customer.call("POST", "/tags", { name })).status, JSON.stringify(name)).toBe(400);
    }
    for (const name of ["👩‍👩‍👧", "Ada\u200bL", "نیم\u200cفاصله", "-"]) {
      expect((await upsert(customer, { phone: "+14155550100", name })).body.contact.name).toBe(name);
    }
  });
});
