import { describe, expect, it } from "vitest";
import {
  CONTACT_SLICES,
  INDEX_SLICES,
  MAX_SLICES,
  nextSliceSize,
  restAfter,
  WORK_SHARE_ALONE,
} from "../../src/features/scans/scans.slices.ts";

describe("Slices of a scan", () => {
  const next = (size: number, sqlMs: number, left = 100_000) =>
    nextSliceSize({ size, sqlMs }, { left, slicesLeft: MAX_SLICES }, CONTACT_SLICES);

  it("A scan's next slice is larger after a fast slice, and smaller after a slow one", () => {
    expect(next(1000, 0)).toBe(4000);
    expect(next(1000, 2)).toBe(2000);
    expect(next(2000, 4)).toBe(2000);
    expect(next(4000, 16)).toBe(1000);
  });

  it("A scan's next slice has 500 to 5,000 contacts", () => {
    expect(next(4000, 0)).toBe(5000);
    expect(next(1000, 400)).toBe(500);
  });

  it("The slices of a scan are large enough to finish within the query limit of one Worker invocation", () => {
    for (const [contacts, sizes] of [
      [1_000_000, CONTACT_SLICES],
      [10_000_000, CONTACT_SLICES],
      [10_000_000, INDEX_SLICES],
    ] as const) {
      let [at, size, slices] = [0, sizes.first, 1];
      for (at += size; at < contacts; at += size) {
        size = nextSliceSize({ size, sqlMs: 1000 }, { left: contacts - at, slicesLeft: MAX_SLICES - slices++ }, sizes);
      }
      expect(slices).toBeLessThanOrEqual(MAX_SLICES);
    }
  });
});

describe("Rests of a scan", () => {
  it("A scan rests three times as long as its last statement took, so that other workspaces can use the database", () => {
    expect(restAfter(10, 10)).toBe(30);
    expect(restAfter(10, 13)).toBe(27);
  });

  it("If no other workspace is active, a scan rests only as long as its last statement took", () => {
    expect(restAfter(10, 10, WORK_SHARE_ALONE)).toBe(10);
  });

  it("A scan does not rest after a statement that already waited that long for the network or a queue", () => {
    expect(restAfter(10, 40)).toBe(0);
  });

  it("A scan rests at most two seconds, and not at all if nothing ran", () => {
    expect(restAfter(5000, 5000)).toBe(2000);
    expect(restAfter(0, 1000)).toBe(0);
  });
});
