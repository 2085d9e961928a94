import { describe, expect, it } from "vitest";
import { contactStatuses } from "../../src/features/contacts/contact-fields.schemas.ts";
import { facetDigits, sourceToken, statusFacet } from "../../src/features/contacts/contacts.facets.ts";

describe("Facet tokens", () => {
  it("Facet tokens have two characters, and differ for different numbers", () => {
    expect([...facetDigits(0)]).toHaveLength(2);
    expect(new Set([0, 1, 4095, 4096, 16_777_215].map(facetDigits)).size).toBe(5);
  });

  it("Facet tokens are equal for sources that differ only in case", () => {
    expect(sourceToken("Website")).toBe(sourceToken("website"));
    expect(sourceToken("website")).not.toBe(sourceToken("webshop"));
  });

  it("Each status has a different facet token", () => {
    expect(new Set(contactStatuses.map(statusFacet)).size).toBe(contactStatuses.length);
  });
});
