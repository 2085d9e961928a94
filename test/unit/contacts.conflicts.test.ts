import { describe, expect, it } from "vitest";
import { findContactConflict } from "../../src/features/contacts/contacts.conflicts.ts";

describe("Contact conflicts", () => {
  it("A contact's phone and email have no conflict if no other active contact has them", () => {
    expect(findContactConflict("ct_1", { phoneHolderId: null, emailHolderId: null })).toBeNull();
    expect(findContactConflict("ct_1", { phoneHolderId: "ct_1", emailHolderId: "ct_1" })).toBeNull();
  });

  it("A contact conflicts with the contact that has its phone, otherwise with the contact that has its email, and the error names both", () => {
    const refusal = (phoneHolderId: string | null, emailHolderId: string | null) =>
      findContactConflict("ct_1", { phoneHolderId, emailHolderId });
    expect(refusal("ct_2", "ct_3")).toMatchObject({
      code: "conflict",
      message: "Another active contact has this phone.",
      details: { field: "phone", contact_id: "ct_2", matched_contact_id: "ct_1" },
    });
    expect(refusal("ct_1", "ct_3")).toMatchObject({
      code: "conflict",
      details: { field: "email", contact_id: "ct_3", matched_contact_id: "ct_1" },
    });
  });
});
