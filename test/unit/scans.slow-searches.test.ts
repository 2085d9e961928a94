import { expect, it } from "vitest";
import { SlowSearches } from "../../src/features/scans/scans.heavy-use.ts";

it("A workspace is remembered for a minute after its last slow search", () => {
  const slow = new SlowSearches();
  slow.note("ws_quick", 14, 0);
  slow.note("ws_slow", 15, 0);
  expect([slow.has("ws_quick", 0), slow.has("ws_slow", 59_999), slow.has("ws_slow", 60_000)]).toEqual([
    false,
    true,
    false,
  ]);
  slow.note("ws_slow", 100, 30_000);
  slow.note("ws_slow", 1, 40_000);
  expect([slow.has("ws_slow", 89_999), slow.has("ws_slow", 90_000)]).toEqual([true, false]);
});

it("Slow searches of 1,000 workspaces are remembered, and the workspace with the oldest slow search is forgotten", () => {
  const slow = new SlowSearches();
  for (let n = 0; n <= 1000; n++) slow.note(`ws_${n}`, 100, n);
  expect([slow.has("ws_0", 1001), slow.has("ws_1", 1001), slow.has("ws_1000", 1001)]).toEqual([false, true, true]);
});
