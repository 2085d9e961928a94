import { describe, expect, it } from "vitest";
import { pauseMs } from "../../src/features/connections/connections.retests.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("a provider that is away", () => {
  it("is tested at each minute's sweep for the first hour, one that comes early included", () => {
    for (const outage of [0, MINUTE, 30 * MINUTE, 59 * MINUTE]) expect(pauseMs(outage)).toBeLessThan(MINUTE);
  });

  it("is tested less often then, and never less than once an hour", () => {
    expect(pauseMs(5 * HOUR)).toBe(5 * MINUTE);
    expect(pauseMs(24 * HOUR)).toBe(24 * MINUTE);
    expect(pauseMs(400 * HOUR)).toBe(HOUR);
  });
});
