import { describe, expect, it } from "vitest";
import { delayBeforeRead } from "../../../sdk/cli/follow-events.ts";

describe("a read of events that failed", () => {
  it("is repeated after a second, then after twice as long each time, up to half a minute", () => {
    expect([1, 2, 3, 6, 1000].map((failures) => delayBeforeRead(failures, null))).toEqual([
      1000, 2000, 4000, 30_000, 30_000,
    ]);
  });

  it("waits for as long as the answer asks for, up to an hour", () => {
    expect([2, 60, 9_999_999, 1e20].map((seconds) => delayBeforeRead(1, seconds))).toEqual([
      2000, 60_000, 3_600_000, 3_600_000,
    ]);
  });
});
