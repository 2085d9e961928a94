import { describe, expect, it } from "vitest";
import { retestPauseMs } from "../../src/features/connections/connections.schedules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("Unreachable providers", () => {
  it("In the first hour, every sweep tests an unreachable provider, even if the sweep is early", () => {
    for (const outage of [0, MINUTE, 30 * MINUTE, 59 * MINUTE]) expect(retestPauseMs(outage)).toBeLessThan(MINUTE);
  });

  it("After the first hour, an unreachable provider is tested less often, but at least hourly", () => {
    expect(retestPauseMs(5 * HOUR)).toBe(5 * MINUTE);
    expect(retestPauseMs(24 * HOUR)).toBe(24 * MINUTE);
    expect(retestPauseMs(400 * HOUR)).toBe(HOUR);
  });
});
