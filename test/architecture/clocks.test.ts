import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Defines `stopClock`, which sets the clock ahead of the platform's alarms. */
const STOPS_CLOCK = "test/support/clock.ts";

/** True if a text sets the test clock to the current time. */
const fakesRunningDate = (text: string): boolean =>
  [...text.matchAll(/useFakeTimers\(([^;]*)\);/g)].some(([, options = ""]) => {
    const fakesDate = !options.includes("toFake") || options.includes('"Date"');
    return fakesDate && !/now: (Date\.parse\("|Date\.UTC\(|\d)/.test(options);
  });

test("The check for test clocks reports code that stops a clock at the current time, and no other code", () => {
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });')).toBe(true);
  expect(fakesRunningDate('vi.useFakeTimers({\n  toFake: ["Date"],\n});')).toBe(true);
  expect(fakesRunningDate("vi.useFakeTimers();")).toBe(true);
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["setTimeout"] });')).toBe(false);
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T10:00:00Z") });')).toBe(
    false,
  );
});

test("Tests stop the clock only with `stopClock`, because the platform fires alarms unless the test clock is ahead of the real time", () => {
  const files = globSync("test/**/*.{ts,tsx}").filter((file) => file !== "test/architecture/clocks.test.ts");
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => fakesRunningDate(readFileSync(file, "utf8")))).toEqual([STOPS_CLOCK]);
});
