import { describe, expect, it } from "vitest";
import {
  addCounts,
  ANSWER_SECONDS,
  answerCountName,
  answerPercentile,
  answerRange,
  countAnswers,
  keyCountName,
  queuedByKey,
} from "../../src/features/statistics/statistics.counts.ts";
import { addDays, canonicalTimeZone, isTimeZone, listTimeZones, localDay } from "../../src/shared/time/time-zones.ts";

const answeredAfter = (...seconds: number[]) =>
  addCounts(...seconds.map((each) => new Map([[answerCountName("people", answerRange(each * 1000)), 1]])));

describe("Response times", () => {
  it("Response times are counted in ranges, and the last range has no end", () => {
    expect([0, 30_000, 30_001, 60_000, 10 ** 12].map(answerRange)).toEqual([0, 0, 1, 1, ANSWER_SECONDS.length]);
  });

  it("The median and percentiles of response times are estimated from the counts of the ranges", () => {
    const counts = answeredAfter(...Array.from({ length: 100 }, (_, n) => n * 6));
    expect(countAnswers(counts, "people")).toBe(100);
    expect(answerPercentile(counts, "people", 0.5)).toBeGreaterThan(270);
    expect(answerPercentile(counts, "people", 0.5)).toBeLessThan(330);
    expect(answerPercentile(counts, "people", 0.9)).toBeGreaterThan(500);
    expect(answerPercentile(counts, "people", 1)).toBe(600);
    expect(answerPercentile(counts, "software", 0.5)).toBeNull();
  });

  it("A response time beyond the last bound counts as that bound", () => {
    expect(answerPercentile(answeredAfter(10 ** 9), "people", 0.5)).toBe(ANSWER_SECONDS.at(-1));
  });
});

it("Counts with the same name in the statistics are added, including the messages that each key queued", () => {
  const sum = addCounts(
    new Map([[keyCountName("key_1"), 2]]),
    new Map([
      [keyCountName("key_1"), 3],
      ["message.sent", 1],
    ]),
  );
  expect(queuedByKey(sum)).toEqual([["key_1", 5]]);
  expect(sum.get("message.sent")).toBe(1);
});

describe("Time zones", () => {
  it("A time belongs to the day that its time zone has at that moment", () => {
    const at = Date.parse("2026-11-23T18:20:00Z");
    expect(
      ["UTC", "Asia/Kathmandu", "America/Los_Angeles", "Pacific/Auckland"].map((zone) => localDay(at, zone)),
    ).toEqual(["2026-11-23", "2026-11-24", "2026-11-23", "2026-11-24"]);
  });

  it("Adding days to a date, or subtracting them, is correct across months, years and leap days", () => {
    expect([addDays("2028-02-28", 1), addDays("2027-01-01", -1), addDays("2026-03-29", 400)]).toEqual([
      "2028-02-29",
      "2026-12-31",
      "2027-05-03",
    ]);
  });

  it("Only known names of time zones are accepted", () => {
    expect(["UTC", "Europe/Berlin", "Etc/GMT+5", "Nowhere/Land", "+01:00", ""].map(isTimeZone)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("An old or differently written name of a time zone is replaced by its current name", () => {
    expect(["europe/berlin", "asia/calcutta", "ASIA/KOLKATA", "Europe/Kiev", "utc"].map(canonicalTimeZone)).toEqual([
      "Europe/Berlin",
      "Asia/Kolkata",
      "Asia/Kolkata",
      "Europe/Kyiv",
      "UTC",
    ]);
    for (const name of ["US/Pacific", "CET", "Mars/Olympus"]) expect(canonicalTimeZone(name)).toBe(name);
    for (const zone of listTimeZones()) expect(canonicalTimeZone(zone)).toBe(zone);
  });
});
