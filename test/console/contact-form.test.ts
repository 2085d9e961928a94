import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const at = (customer: Customer, below = "") => `/console/${customer.workspaceId}/contacts${below}`;

const create = async (customer: Customer, body: object): Promise<Answer["body"]> =>
  (await customer.call("POST", "/contacts", body)).body.contact;

const placeOf = (answer: Answer) => (answer.headers.get("Location") ?? "").split("/").at(-1) ?? "";

describe("Contact form", () => {
  it("The contact form creates a contact with tags and custom fields", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const field of [
      { field_key: "age", label: "Age", type: "number" },
      { field_key: "member", label: "Member", type: "boolean" },
      { field_key: "met_at", label: "Met at", type: "datetime" },
      { field_key: "likes", label: "Likes", type: "multi_select", options: ["tea", "coffee"] },
    ])
      await customer.call("POST", "/custom-fields", field);
    const sent = await agent.post(at(customer, "/new"), {
      name: "Ada",
      phone: "+1 (415) 555-0100",
      status: "warm",
      tags: "vip, early bird",
      "custom_fields.age": "36",
      "custom_fields.member": "true",
      "custom_fields.met_at": "2026-01-31T09:30",
      "custom_fields.likes": "tea",
    });
    expect(sent.status).toBe(303);
    expect((await customer.call("GET", `/contacts/${placeOf(sent)}`)).body.contact).toMatchObject({
      name: "Ada",
      phone: "+14155550100",
      status: "warm",
      tags: [{ name: "vip" }, { name: "early bird" }],
      custom_fields: { age: 36, member: true, met_at: "2026-01-31T09:30:00.000Z", likes: ["tea"] },
    });
  });

  it("The contact form shows each error next to its field and keeps the input", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const answer = await agent.post(at(customer, "/new"), {
      name: "Typed name",
      phone: "12",
      email: "nobody",
      "custom_fields.age": "old",
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('value="Typed name"');
    expect(answer.body).toMatch(/id="field-phone-fault">\s*Must be a phone number in international format/);
    expect(answer.body).toMatch(/id="field-email-fault">\s*Must be an email address/);
    const young = await agent.post(at(customer, "/new"), { phone: phoneEnding("3000"), "custom_fields.age": "old" });
    expect(young.body).toMatch(/id="field-custom_fields-age-fault">\s*Must be a number/);
    expect((await agent.post(at(customer, "/new"), { name: "Nobody" })).body).toContain(
      "Either phone or email is required.",
    );
  });

  it("The contact form requires a country code, and accepts slashes in phone numbers", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect((await agent.get(at(customer, "/new"))).body).toContain(
      "Include the country code: +49 30 901820 for 030 901820",
    );
    for (const phone of ["030/901820", "0151 23456788", "11 98765-1105", "4915123456788"]) {
      const answer = await agent.post(at(customer, "/new"), { phone });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatch(
        /id="field-phone-fault">\s*Must be a phone number in international format, with its country code/,
      );
      expect(answer.body).toContain(`value="${phone}"`);
    }
    const made = await agent.post(at(customer, "/new"), { phone: "+49 30/901820" });
    expect(made.status).toBe(303);
    const { contact } = (await customer.call("GET", `/contacts/${placeOf(made)}`)).body;
    expect(contact.phone).toBe("+4930901820");
    const changed = await agent.post(at(customer, `/${contact.id}/edit`), {
      phone: "030/901821",
      status: "new",
      lifecycle_stage: "lead",
    });
    expect(changed.status).toBe(400);
    expect((await customer.call("GET", `/contacts/${contact.id}`)).body.contact.phone).toBe("+4930901820");
  });

  it("The contact form does not overwrite an existing contact with the same phone or email, and links to it", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const ada = await create(customer, { name: "Ada", phone: phoneEnding("3001") });
    const answer = await agent.post(at(customer, "/new"), { name: "Other", phone: ada.phone });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatch(/id="field-phone-fault">\s*Another contact has this phone/);
    expect(answer.body).toContain(at(customer, `/${ada.id}"`));
    expect((await customer.call("GET", `/contacts/${ada.id}`)).body.contact.name).toBe("Ada");
  });

  it("The contact form saves only changed fields, so that a colleague's simultaneous change is kept", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "note", label: "Note", type: "text" });
    const made = { phone: phoneEnding("3002"), name: "Ada", company: "Analytical", tags: ["one", "two"] };
    const { id } = await create(customer, { ...made, custom_fields: { note: "kept" } });
    const form = {
      name: "Ada L.",
      phone: made.phone,
      company: "",
      source: "api",
      status: "new",
      lifecycle_stage: "lead",
    };
    const saved = await agent.post(at(customer, `/${id}/edit`), {
      ...form,
      tag: "two",
      tags: "three",
      "custom_fields.note": "kept",
    });
    expect(saved.status).toBe(303);
    expect((await customer.call("GET", `/contacts/${id}`)).body.contact).toMatchObject({
      name: "Ada L.",
      company: null,
      phone: made.phone,
      tags: [{ name: "two" }, { name: "three" }],
      custom_fields: { note: "kept" },
    });
  });

  it("The contact form can save a contact without a phone number that is known only by a provider's id", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.receive("123", "Hello", "Odd");
    const [odd] = (await customer.call("GET", "/contacts?search=odd")).body.contacts;
    const saved = await agent.post(at(customer, `/${odd.id}/edit`), {
      name: "Odder",
      phone: "",
      source: odd.source,
      status: odd.status,
      lifecycle_stage: odd.lifecycle_stage,
    });
    expect(saved.status).toBe(303);
    expect((await customer.call("GET", `/contacts/${odd.id}`)).body.contact).toMatchObject({
      name: "Odder",
      phone: null,
    });
  });

  it("The contact form rejects a request without a CSRF token", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const { id } = await create(customer, { phone: phoneEnding("3003") });
    for (const below of ["/new", `/${id}/edit`, `/${id}/archive`, `/${id}/opt-out`]) {
      const answer = await agent.post(at(customer, below), {
        csrf_token: "forged",
        name: "Forged",
        phone: "+14155550199",
      });
      expect([below, answer.status]).toEqual([below, 403]);
    }
    expect((await customer.call("GET", "/contacts?search=forged")).body.contacts).toEqual([]);
  });
});
