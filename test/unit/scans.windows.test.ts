import { describe, expect, it } from "vitest";
import {
  CONTACT_WINDOWS,
  INDEX_WINDOWS,
  MOST_WINDOWS,
  nextWindow,
  restAfter,
  workMs,
} from "../../src/features/scans/scans.windows.ts";

describe("the next window", () => {
  const next = (size: number, sqlMs: number, left = 100_000) =>
    nextWindow({ size, sqlMs }, { left, windowsLeft: MOST_WINDOWS }, CONTACT_WINDOWS);

  it("grows where the last was quick, and shrinks where others had to wait for it", () => {
    expect(next(1000, 0)).toBe(4000);
    expect(next(1000, 2)).toBe(2000);
    expect(next(2000, 4)).toBe(2000);
    expect(next(4000, 16)).toBe(1000);
  });

  it("looks at 5,000 contacts at most, and at 500 at least", () => {
    expect(next(4000, 0)).toBe(5000);
    expect(next(1000, 400)).toBe(500);
  });

  it("comes to the end of any number of contacts with the queries an invocation may make", () => {
    for (const [contacts, sizes] of [
      [1_000_000, CONTACT_WINDOWS],
      [10_000_000, CONTACT_WINDOWS],
      [10_000_000, INDEX_WINDOWS],
    ] as const) {
      let [at, size, windows] = [0, sizes.first, 1];
      for (at += size; at < contacts; at += size) {
        size = nextWindow({ size, sqlMs: 1000 }, { left: contacts - at, windowsLeft: MOST_WINDOWS - windows++ }, sizes);
      }
      expect(windows).toBeLessThanOrEqual(MOST_WINDOWS);
    }
  });
});

describe("the rest after a statement", () => {
  it("lets others have the database for three times as long as the statement had it", () => {
    expect(restAfter(10, 10)).toBe(30);
    expect(restAfter(10, 13)).toBe(27);
  });

  it("is over by itself where the way to the database, or others in front, took so long", () => {
    expect(restAfter(10, 40)).toBe(0);
  });

  it("is bounded, and is none where nothing ran", () => {
    expect(restAfter(5000, 5000)).toBe(2000);
    expect(restAfter(0, 1000)).toBe(0);
  });
});

describe("the work of a read", () => {
  it("is the database's, and that of showing the contacts it gave", () => {
    expect(workMs({ sqlMs: 3 })).toBe(3);
    expect(workMs({ sqlMs: 3, contacts: 100 })).toBe(13);
  });
});
