import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

const contactsOf = (customer: Customer) =>
  onShard(customer, "SELECT id, phone FROM contacts WHERE workspace_id = ? ORDER BY seq", customer.workspaceId);

const conversationsOf = async (customer: Customer) => (await customer.call("GET", "/conversations")).body.conversations;

describe("Two spellings of a number", () => {
  it.each([
    ["Brazil", "+5511987654321", "+551187654321"],
    ["Mexico", "+525512345678", "+5215512345678"],
    ["Argentina", "+5491123456789", "+541123456789"],
  ])("In %s, a person whose number has two spellings has one contact and one conversation", async (_, one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const customer = await new World().customer();
      const { contact_id, conversation_id } = (await customer.send(first, "Hi")).body;
      await customer.receive(second, "Hello");
      customer.world.advance(1);
      expect((await customer.send(second, "How are you?")).body).toMatchObject({ contact_id, conversation_id });
      expect((await customer.outbox()).map(({ to }) => to)).toEqual([second, first]);
      expect(await contactsOf(customer)).toMatchObject([{ id: contact_id, phone: first }]);
      expect(await conversationsOf(customer)).toHaveLength(1);
      customer.world.advance(1);
      await customer.receive(second, "STOP");
      expect((await customer.send(first)).body.error.code).toBe("unsubscribed");
    }
  });

  it.each([
    ["Brazil", "+5511987654321", "+551187654321"],
    ["Mexico", "+525512345678", "+5215512345678"],
    ["Argentina", "+5491123456789", "+541123456789"],
  ])(
    "In %s, a contact is also found by the older spelling of its number, and keeps the newer spelling",
    async (_, newer, older) => {
      const customer = await new World().customer();
      const first = await customer.call("POST", "/contacts", { phone: newer, email: "ada@example.com" });
      const { id } = first.body.contact;
      const again = await customer.call("POST", "/contacts", { phone: older, company: "Acme" });
      expect(again.body).toMatchObject({ created: false, updated: true, matched_by: "phone" });
      expect(again.body.contact).toMatchObject({ id, phone: newer, company: "Acme" });
      const batch = await customer.call("POST", "/contacts/batch", {
        contacts: [
          { phone: older, name: "Ada" },
          { phone: older, email: "ada@example.com" },
        ],
      });
      expect(batch.body.counts).toMatchObject({ updated: 2 });
      await customer.call("DELETE", `/contacts/${id}`);
      const restored = await customer.call("POST", "/contacts", { phone: older });
      expect(restored.body).toMatchObject({ restored: true, contact: { id, phone: newer, name: "Ada" } });
      // The last change of this contact decides the spelling of its number.
      const changed = await customer.call("PATCH", `/contacts/${id}`, { phone: older });
      expect(changed.body.contact.phone).toBe(older);
      const better = await customer.call("POST", "/contacts", { phone: newer });
      expect(better.body.contact).toMatchObject({ id, phone: newer });
    },
  );

  it("If one batch contains two spellings of a number, it creates one contact with the newer spelling, in either order", async () => {
    for (const phones of [
      ["+5511987654321", "+551187654321"],
      ["+551187654321", "+5511987654321"],
    ]) {
      const customer = await new World().customer();
      const { counts } = (
        await customer.call("POST", "/contacts/batch", { contacts: phones.map((phone) => ({ phone })) })
      ).body;
      expect(counts).toMatchObject({ created: 1, updated: 1 });
      expect(await contactsOf(customer)).toMatchObject([{ phone: "+5511987654321" }]);
    }
  });

  it("If a contact gets a different number, the number is stored as submitted, even in an old spelling", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/contacts", { phone: "+5511987654321", email: "ada@example.com" });
    const moved = await customer.call("POST", "/contacts", { phone: "+552187654321", email: "ada@example.com" });
    expect(moved.body).toMatchObject({ matched_by: "email", contact: { phone: "+552187654321" } });
  });

  it("A Brazilian landline and the mobile number that has an extra 9 belong to two people", async () => {
    const customer = await new World().customer();
    await customer.receive("+551132345678", "Hi");
    await customer.receive("+5511932345678", "Hi");
    expect(await contactsOf(customer)).toHaveLength(2);
  });
});
