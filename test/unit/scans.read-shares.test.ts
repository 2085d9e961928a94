import { describe, expect, it } from "vitest";
import { ReadShares } from "../../src/features/scans/scans.heavy-use.ts";

describe("Shares of reading", () => {
  it("Many simultaneous pages exceed a workspace's share of reading", () => {
    const shares = new ReadShares();
    for (let page = 0; page < 10; page++) shares.note("ws", 10, 0);
    expect(shares.isExceeded("ws", 0)).toBe(false);
    shares.note("ws", 10, 0);
    expect(shares.isExceeded("ws", 0)).toBe(true);
    expect(shares.isExceeded("ws_other", 0)).toBe(false);
  });

  it("Pages that are read one after the other do not exceed a workspace's share of reading if three quarters of the time stay free", () => {
    const shares = new ReadShares();
    for (let at = 0; at < 60_000; at += 40) {
      shares.note("ws", 10, at);
      expect(shares.isExceeded("ws", at)).toBe(false);
    }
  });

  it("A workspace's share of reading recovers with time, but does not accumulate", () => {
    const shares = new ReadShares();
    shares.note("ws", 140, 0);
    expect([shares.isExceeded("ws", 159), shares.isExceeded("ws", 160)]).toEqual([true, false]);
    shares.note("ws", 90, 3_600_000);
    expect(shares.isExceeded("ws", 3_600_000)).toBe(false);
    shares.note("ws", 11, 3_600_000);
    expect(shares.isExceeded("ws", 3_600_000)).toBe(true);
  });

  it("The shares of reading of 1,000 workspaces are remembered, and the workspace that read longest ago is forgotten", () => {
    const shares = new ReadShares();
    for (let n = 0; n <= 1000; n++) shares.note(`ws_${n}`, 5000, n);
    shares.note("ws_1", 1, 1000);
    shares.note("ws_1001", 5000, 1001);
    const known = ["ws_0", "ws_1", "ws_2", "ws_1001"].map((id) => shares.isExceeded(id, 1001));
    expect(known).toEqual([false, true, false, true]);
  });
});
