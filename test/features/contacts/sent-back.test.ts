import { describe, expect, it } from "vitest";
import { readOnlyFields } from "../../../src/features/contacts/contacts.schemas.ts";
import { World } from "../../support/world.ts";

describe("Returned contacts", () => {
  it("Upsert, batch and PATCH accept a contact exactly as the API returned it, and do not change it", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
    const first = { phone: "+14155550142", name: "Ada", tags: ["VIP"], custom_fields: { plan: "pro" } };
    const { contact } = (await customer.call("POST", "/contacts", first)).body;
    expect((await customer.call("POST", "/contacts", contact)).body).toMatchObject({ contact, created: false });
    expect((await customer.call("POST", "/contacts/batch", { contacts: [contact] })).body.results).toMatchObject([
      { status: "updated", contact_id: contact.id },
    ]);
    expect((await customer.call("PATCH", `/contacts/${contact.id}`, contact)).body.contact).toEqual(contact);
  });

  it("The API documentation states that an upsert ignores the read-only fields of a contact", async () => {
    const { components } = (await new World().request("GET", "/openapi.json")).body;
    const { properties } = components.schemas.ContactsUpsertRequest;
    for (const name of [...readOnlyFields, "updated_at"])
      expect([name, properties[name].description]).toEqual([name, "Ignored."]);
  });

  it("A contact that was returned by one workspace can be created in another workspace, without its read-only fields", async () => {
    const customer = await new World().customer();
    const { contact } = (await customer.call("POST", "/contacts", { phone: "+14155550142", tags: ["VIP"] })).body;
    const other = await customer.world.customer();
    const { status, body } = await other.call("POST", "/contacts", { ...contact, is_archived: true });
    expect([status, body.contact.is_archived, body.contact.tags[0].name]).toEqual([201, false, "VIP"]);
    expect(body.contact.id).not.toBe(contact.id);
  });

  it("The tags of a returned contact can be sent back as names or objects: an upsert adds them, and PATCH replaces the stored tags", async () => {
    const customer = await new World().customer();
    const names = ({ body }: Awaited<ReturnType<typeof customer.call>>) =>
      body.contact.tags.map(({ name }: { name: string }) => name).toSorted();
    const phone = "+14155550142";
    const { contact } = (await customer.call("POST", "/contacts", { phone, tags: ["VIP"] })).body;
    expect(names(await customer.call("POST", "/contacts", { phone, tags: [...contact.tags, "News"] }))).toEqual([
      "News",
      "VIP",
    ]);
    expect(names(await customer.call("PATCH", `/contacts/${contact.id}`, { tags: contact.tags }))).toEqual(["VIP"]);
  });
});
