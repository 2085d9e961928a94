import { expect, it } from "vitest";
import { boundEventTime } from "../../src/features/messages/receive/read-event.ts";

const NOW = Date.UTC(2026, 0, 8);
const WEEK_MS = 7 * 86_400_000;

it.each([
  ["An event keeps a time of the last week", NOW - 5000, NOW - 5000],
  ["An event keeps a time of exactly a week ago", NOW - WEEK_MS, NOW - WEEK_MS],
  ["An older event is dated a week ago, because providers retry for a week", 0, NOW - WEEK_MS],
  ["An event from the future is dated now", NOW + 1, NOW],
])("%s", (_, at, expected) => {
  expect(boundEventTime(at, NOW)).toBe(expected);
});
