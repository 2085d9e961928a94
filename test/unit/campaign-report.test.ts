import { describe, expect, it } from "vitest";
import { monthOf } from "../../src/console/pages/campaigns/month.ts";
import { labelledSteps, roundedTop } from "../../src/console/kit/charts/bar-chart.tsx";
import { medianRates, ratesOf, readTimeline } from "../../src/features/campaigns/report/report-figures.ts";
import { localDay } from "../../src/shared/time/time-zones.ts";

const none = { sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0 };
const SPAN = 600_000;

describe("Rates of campaigns", () => {
  it("A campaign's rates are shares of the attempted messages, without skipped recipients", () => {
    expect(ratesOf({ ...none, sent: 1, delivered: 1, read: 2, failed: 4, skipped: 9 })).toEqual({
      delivered: 3 / 8,
      read: 2 / 8,
      failed: 4 / 8,
    });
    expect(ratesOf({ ...none, skipped: 3 })).toBeNull();
  });

  it("The median rate of campaigns is also correct for an even number of campaigns", () => {
    expect(medianRates([])).toBeNull();
    const of = (read: number) => ({ ...none, read, failed: 10 - read });
    expect(medianRates([of(2), of(9), of(4)])).toMatchObject({ campaigns: 3, read: 0.4 });
    expect(medianRates([of(2), of(4), none])?.read).toBeCloseTo(0.3);
  });
});

describe("Timeline of a campaign", () => {
  it("The timeline of a campaign has steps without gaps, with a count for each state", () => {
    const { stepMs, steps } = readTimeline({
      "100 sent": 5,
      "102 read": 2,
      "102 failed": 1,
      "101 sent": 0,
      "100 odd": 4,
    });
    expect(stepMs).toBe(SPAN);
    expect(steps).toEqual([
      { at: 100 * SPAN, counts: [5, 0, 0, 0] },
      { at: 101 * SPAN, counts: [0, 0, 0, 0] },
      { at: 102 * SPAN, counts: [0, 0, 2, 1] },
    ]);
    expect(readTimeline({}).steps).toEqual([]);
  });

  it("The timeline of a long campaign has fewer, longer steps, and still counts every message", () => {
    const days = Object.fromEntries(Array.from({ length: 6 * 24 * 30 }, (_, n) => [`${600_000 + n} sent`, 2]));
    const { stepMs, steps } = readTimeline(days);
    expect(stepMs).toBe(86_400_000);
    expect(steps.length).toBeLessThanOrEqual(48);
    expect(steps.reduce((sum, { counts }) => sum + (counts[0] ?? 0), 0)).toBe(2 * 6 * 24 * 30);
  });
});

it("The axis of a chart ends with a round number", () => {
  expect([0, 1, 5, 6, 11, 21, 51, 100, 101].map(roundedTop)).toEqual([1, 1, 5, 10, 20, 50, 100, 100, 200]);
});

it("A chart has at most five labels at equal distances", () => {
  expect(labelledSteps(0).labelled).toEqual([]);
  expect(labelledSteps(4)).toEqual({ every: 1, labelled: [0, 1, 2, 3] });
  expect(labelledSteps(21)).toEqual({ every: 5, labelled: [0, 5, 10, 15] });
  for (let steps = 1; steps < 100; steps++) {
    const { every, labelled } = labelledSteps(steps);
    expect(labelled.length).toBeLessThanOrEqual(5);
    expect((labelled.at(-1) ?? NaN) + every).toBeLessThanOrEqual(steps);
  }
});

it("A calendar month has its days, its first weekday, and the months before and after", () => {
  expect(monthOf("2026-02")).toMatchObject({ firstWeekday: 7, previous: "2026-01", next: "2026-03" });
  expect(monthOf("2024-02").days).toHaveLength(29);
  expect(localDay(Date.parse("2026-12-31T12:00:00Z"), "Pacific/Auckland")).toBe("2027-01-01");
});
