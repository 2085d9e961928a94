import { describe, expect, it } from "vitest";
import { retestPauseMs } from "../../src/features/connections/connections.schedules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("Unreachable providers", () => {
  it("An unreachable provider is tested by each sweep of the first hour, also by an early sweep", () => {
    for (const outage of [0, MINUTE, 30 * MINUTE, 59 * MINUTE]) expect(retestPauseMs(outage)).toBeLessThan(MINUTE);
  });

  it("An unreachable provider is tested less often after the first hour, but at least hourly", () => {
    expect(retestPauseMs(5 * HOUR)).toBe(5 * MINUTE);
    expect(retestPauseMs(24 * HOUR)).toBe(24 * MINUTE);
    expect(retestPauseMs(400 * HOUR)).toBe(HOUR);
  });
});
