import { describe, expect, it } from "vitest";
import { formatShare, toPercent } from "../../src/console/kit/format.ts";

describe("Percentages", () => {
  it.each([
    [579, 581, "99.7 %"],
    [1, 581, "0.2 %"],
    [581, 581, "100 %"],
    [0, 581, "0 %"],
    [99_999, 100_000, "99.9 %"],
    [1, 100_000, "0.1 %"],
    [1, 2, "50.0 %"],
    [1, 3, "33.3 %"],
    [0, 0, "0 %"],
  ])("The share of %d in %d is shown as %s", (part, total, text) => {
    expect(formatShare(part, total)).toBe(text);
  });

  it("A percentage is 100 only if the part is the whole total, and 0 only if the part is 0", () => {
    for (const total of [3, 581, 1_000_000])
      for (const part of [1, 2, total - 1]) {
        expect(toPercent(part, total)).toBeGreaterThan(0);
        expect(toPercent(part, total)).toBeLessThan(100);
      }
  });

  it("A share that is given as a fraction is formatted as a percentage", () => {
    expect([0, 0.125, 0.9999, 1].map((share) => formatShare(share))).toEqual(["0 %", "12.5 %", "99.9 %", "100 %"]);
  });
});
