import { describe, expect, it } from "vitest";
import { contactStatuses } from "../../src/features/contacts/contact-fields.schemas.ts";
import { facetDigits, sourceToken, statusFacet } from "../../src/features/contacts/contacts.facets.ts";

describe("Facet tokens", () => {
  it("A facet token has two characters, and different numbers have different tokens", () => {
    expect([...facetDigits(0)]).toHaveLength(2);
    expect(new Set([0, 1, 4095, 4096, 16_777_215].map(facetDigits)).size).toBe(5);
  });

  it("Sources that differ only in case have the same facet token", () => {
    expect(sourceToken("Website")).toBe(sourceToken("website"));
    expect(sourceToken("website")).not.toBe(sourceToken("webshop"));
  });

  it("Each status has a different facet token", () => {
    expect(new Set(contactStatuses.map(statusFacet)).size).toBe(contactStatuses.length);
  });
});
