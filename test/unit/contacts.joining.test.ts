import { describe, expect, it } from "vitest";
import { survivorOf } from "../../src/features/contacts/contacts.joining.ts";

const contact = (seq: number, phoneKey: string | null) => ({ seq, id: `ct_${seq}`, phoneKey, archivedAt: null });

describe("of two contacts that are one person", () => {
  it.each([
    ["the one with a number stays", contact(2, "+1"), contact(1, null), 2],
    ["the older stays where both have a number", contact(2, "+1"), contact(1, "+2"), 1],
    ["the older stays where neither has one", contact(1, null), contact(2, null), 1],
  ])("%s, whichever comes first", (_, one, other, stays) => {
    for (const { stays: found, goes } of [survivorOf(one, other), survivorOf(other, one)]) {
      expect(found.seq).toBe(stays);
      expect(goes.seq).toBe(3 - stays);
    }
  });
});
