import { describe, expect, it } from "vitest";
import { contacts } from "../../src/db/schema/index.ts";
import { contactDefaults } from "../../src/features/contacts/contact-fields.schemas.ts";
import { chooseKeptContact } from "../../src/features/contacts/contacts.merging.ts";

const contact = (seq: number, phoneKey: string | null) => ({ seq, id: `ct_${seq}`, phoneKey, archivedAt: null });

describe("merging two contacts", () => {
  it.each([
    ["the one that has a number", contact(2, "+1"), contact(1, null), 2],
    ["the older one where both have a number", contact(2, "+1"), contact(1, "+2"), 1],
    ["the older one where neither has a number", contact(1, null), contact(2, null), 1],
  ])("keeps %s, whichever comes first", (_, one, other, expected) => {
    for (const { kept, removed } of [chooseKeptContact(one, other), chooseKeptContact(other, one)]) {
      expect(kept.seq).toBe(expected);
      expect(removed.seq).toBe(3 - expected);
    }
  });
});

it("The values that a merge replaces are those of a new contact", () => {
  const { status, lifecycleStage, source } = contacts;
  expect(contactDefaults).toEqual({
    status: status.default,
    lifecycle_stage: lifecycleStage.default,
    source: source.default,
  });
});
