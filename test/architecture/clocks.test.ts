import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `stopClock`, which goes ahead of the platform's alarms. */
const STOPS_CLOCK = "test/support/clock.ts";

/** True where a text fakes the date, other than at a time that it names. */
const fakesRunningDate = (text: string): boolean =>
  [...text.matchAll(/useFakeTimers\(([^;]*)\);/g)].some(([, options = ""]) => {
    const fakesDate = !options.includes("toFake") || options.includes('"Date"');
    return fakesDate && !/now: (Date\.parse\("|Date\.UTC\(|\d)/.test(options);
  });

test("The search finds clocks that stop at the present, and no others", () => {
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });')).toBe(true);
  expect(fakesRunningDate('vi.useFakeTimers({\n  toFake: ["Date"],\n});')).toBe(true);
  expect(fakesRunningDate("vi.useFakeTimers();")).toBe(true);
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["setTimeout"] });')).toBe(false);
  expect(fakesRunningDate('vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T10:00:00Z") });')).toBe(
    false,
  );
});

test("Tests stop the clock with `stopClock` only: the platform rings alarms by itself where a clock is not ahead of it", () => {
  const files = globSync("test/**/*.{ts,tsx}").filter((file) => file !== "test/architecture/clocks.test.ts");
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => fakesRunningDate(readFileSync(file, "utf8")))).toEqual([STOPS_CLOCK]);
});
