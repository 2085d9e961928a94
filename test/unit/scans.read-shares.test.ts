import { describe, expect, it } from "vitest";
import { ReadShares, RecentWorkspaces } from "../../src/features/scans/scans.heavy-use.ts";

/** A read that counts as this many milliseconds. */
const reading = (ms: number) => ({ rowsRead: ms * 500, contacts: 0, delaysOthers: false });

describe("Shares of reading", () => {
  it("A workspace that reads many pages at once exceeds its share of the database", () => {
    const shares = new ReadShares();
    for (let page = 0; page < 10; page++) shares.note("ws", reading(10), 0);
    expect(shares.isExceeded("ws", 0)).toBe(false);
    shares.note("ws", reading(10), 0);
    expect(shares.isExceeded("ws", 0)).toBe(true);
    expect(shares.isExceeded("ws_other", 0)).toBe(false);
  });

  it("A workspace that reads page after page for a quarter of the time does not exceed its share of the database", () => {
    const shares = new ReadShares();
    for (let at = 0; at < 60_000; at += 40) {
      shares.note("ws", reading(10), at);
      expect(shares.isExceeded("ws", at)).toBe(false);
    }
  });

  it("A workspace's share of the database recovers with time, but unused time does not accumulate", () => {
    const shares = new ReadShares();
    shares.note("ws", reading(140), 0);
    expect([shares.isExceeded("ws", 159), shares.isExceeded("ws", 160)]).toEqual([true, false]);
    shares.note("ws", reading(90), 3_600_000);
    expect(shares.isExceeded("ws", 3_600_000)).toBe(false);
    shares.note("ws", reading(11), 3_600_000);
    expect(shares.isExceeded("ws", 3_600_000)).toBe(true);
  });

  it("The database use of 1,000 workspaces is remembered, and the workspace that read longest ago is forgotten first", () => {
    const shares = new ReadShares();
    for (let n = 0; n <= 1000; n++) shares.note(`ws_${n}`, reading(5000), n);
    shares.note("ws_1", reading(1), 1000);
    shares.note("ws_1001", reading(5000), 1001);
    const known = ["ws_0", "ws_1", "ws_2", "ws_1001"].map((id) => shares.isExceeded(id, 1001));
    expect(known).toEqual([false, true, false, true]);
  });
});

describe("Work beside other workspaces", () => {
  it("The time to present contacts counts towards a workspace's share only if it delays other workspaces", () => {
    const shares = new ReadShares();
    for (let page = 0; page < 100; page++) shares.note("ws", { rowsRead: 100, contacts: 100, delaysOthers: false }, 0);
    expect(shares.isExceeded("ws", 0)).toBe(false);
    for (let page = 0; page < 8; page++) shares.note("ws", { rowsRead: 100, contacts: 100, delaysOthers: true }, 0);
    expect(shares.isExceeded("ws", 0)).toBe(true);
  });

  it("Another workspace counts as active for one second after its last request to the same isolate", () => {
    const recent = new RecentWorkspaces();
    expect(recent.hasOther("ws", 0)).toBe(false);
    recent.note("ws", 0);
    expect([recent.hasOther("ws", 0), recent.hasOther("ws_other", 0)]).toEqual([false, true]);
    recent.note("ws_other", 500);
    for (const at of [600, 700]) recent.note("ws", at);
    expect([recent.hasOther("ws", 1499), recent.hasOther("ws", 1500)]).toEqual([true, false]);
    expect([recent.hasOther("ws_third", 1699), recent.hasOther("ws_third", 1700)]).toEqual([true, false]);
  });
});
