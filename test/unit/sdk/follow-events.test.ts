import { describe, expect, it } from "vitest";
import { delayBeforeRead } from "../../../sdk/cli/follow-events.ts";

describe("Failed reads of events", () => {
  it("A failed read of events is repeated after a second, and each later wait doubles up to half a minute", () => {
    expect([1, 2, 3, 6, 1000].map((failures) => delayBeforeRead(failures, null))).toEqual([
      1000, 2000, 4000, 30_000, 30_000,
    ]);
  });

  it("A failed read of events waits for Retry-After, up to an hour", () => {
    expect([2, 60, 9_999_999, 1e20].map((seconds) => delayBeforeRead(1, seconds))).toEqual([
      2000, 60_000, 3_600_000, 3_600_000,
    ]);
  });
});
