import { describe, expect, it } from "vitest";
import { toContactPatch } from "../../src/features/contacts/contacts.patch.ts";
import { type ExistingContact, MAX_TAGS, UpsertPlan } from "../../src/features/contacts/upsert/upsert-plan.ts";
import { phoneKey } from "../../src/shared/text/phone.ts";

const PHONE = "+14155550100";
const EMAIL = "ada@example.com";

const existing = (seq: number, columns: Partial<ExistingContact>): ExistingContact => ({
  seq,
  id: `ct_${seq}`,
  phoneKey: null,
  emailKey: null,
  archivedAt: null,
  tagNumbers: [],
  hasExternalId: false,
  ...columns,
});

function planFor(...contacts: ExistingContact[]): UpsertPlan {
  let created = 0;
  return new UpsertPlan(contacts, new Map([["vip", 1]]), () => `ct_new_${++created}`);
}

const patch = (input: Parameters<typeof toContactPatch>[0], tagKeys: string[] = []) =>
  toContactPatch(input, { tagKeys, replaceTags: false });

describe("Upserts", () => {
  it("An upsert prefers an active contact to an archived one, a match by phone to one by email, and the contact that was archived last", () => {
    const phone = { phoneKey: phoneKey(PHONE) };
    const email = { emailKey: EMAIL };
    const both = patch({ phone: PHONE, email: EMAIL });
    const match = (...contacts: ExistingContact[]) => planFor(...contacts).upsert(both, false);
    expect(match(existing(1, email), existing(2, phone))).toMatchObject({ contactId: "ct_2", matchedBy: "phone" });
    expect(match(existing(1, email), existing(2, { ...phone, archivedAt: 5 }))).toMatchObject({ contactId: "ct_1" });
    const archived = [existing(1, { ...phone, archivedAt: 5 }), existing(2, { ...phone, archivedAt: 9 })];
    expect(match(...archived)).toMatchObject({ contactId: "ct_2" });
  });

  it("An upsert matches a contact that an earlier row of the batch creates, and stores both rows as one contact", () => {
    const plan = planFor();
    const first = plan.upsert(patch({ phone: PHONE, name: "Ada" }), true);
    const second = plan.upsert(patch({ phone: PHONE, email: EMAIL }), true);
    expect(second).toMatchObject({ contactId: first.contactId, created: false, updated: true });
    const { created, updated } = plan.changes();
    expect(updated).toEqual([]);
    expect(created).toMatchObject([{ set: { name: "Ada" }, email: { value: EMAIL } }]);
  });

  it("An upsert conflicts if its phone and its email belong to two active contacts, and changes neither contact", () => {
    const plan = planFor(existing(1, { phoneKey: phoneKey(PHONE) }), existing(2, { emailKey: EMAIL }));
    expect(() => plan.upsert(patch({ phone: PHONE, email: EMAIL }), true)).toThrow("has this email");
    expect(plan.changes()).toEqual({ created: [], updated: [] });
  });

  it("An upsert rejects more tags than a contact can have, including stored tags", () => {
    const tagNumbers = Array.from({ length: MAX_TAGS }, (_, index) => index + 1);
    const plan = planFor(existing(1, { phoneKey: phoneKey(PHONE), tagNumbers }));
    expect(plan.upsert(patch({ phone: PHONE }, ["vip"]), true)).toMatchObject({ updated: true });
    expect(() => plan.upsert(patch({ phone: PHONE }, ["new"]), true)).toThrow("`tags` must have at most 50 tags.");
  });
});

describe("Updates", () => {
  it("An update to a contact cannot remove its last phone, email or external id", () => {
    const clear = patch({ phone: null });
    const withPhone = { phoneKey: phoneKey(PHONE) };
    expect(() => planFor(existing(1, withPhone)).update("ct_1", clear)).toThrow(
      "`phone`: A contact requires a phone, an email or an external id.",
    );
    const plan = planFor(existing(1, { ...withPhone, hasExternalId: true }));
    plan.update("ct_1", clear);
    expect(plan.changes().updated).toMatchObject([{ id: "ct_1", phone: null }]);
  });
});
