import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countsOf, countsOfRows, paceOf } from "../../src/features/campaigns/campaigns.progress.ts";

const tally = { sent: 3, delivered: 2, read: 1, failed: 1, skipped: 1, unknown: 1 };
const running = { status: "running", recipient_count: 20, expanded: 10, taken: 12, answered: 10, rest: null, tally };
const sum = (counts: object) => Object.values(counts).reduce((total, count) => total + count, 0);

describe("Counts", () => {
  it("A campaign's counts add up to its number of recipients, because recipients without a result count as pending", () => {
    const counts = countsOf(running);
    expect(counts).toEqual({ ...tally, pending: 11 });
    expect(sum(counts)).toBe(20);
  });

  it("After a cancellation, recipients in open leases count as pending, and all other recipients without a result count as skipped", () => {
    const counts = countsOf({ ...running, status: "cancelled", rest: "cancelled" });
    expect(counts).toEqual({ ...tally, pending: 2, skipped: 10 });
    expect(sum(counts)).toBe(20);
  });

  it("A campaign's pending count never exceeds its number of recipients without a result", () => {
    const counts = countsOf({ ...running, status: "cancelled", rest: "cancelled", recipient_count: 10, taken: 15 });
    expect(counts).toEqual({ ...tally, pending: 1, skipped: 1 });
  });

  it("All counts of a campaign that failed to start are zero", () => {
    const nothing = { sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0 };
    expect(sum(countsOf({ ...running, status: "failed", tally: nothing }))).toBe(0);
  });

  const some = fc.nat(1000);
  const progress = fc
    .record({
      tally: fc.record({ sent: some, delivered: some, read: some, failed: some, skipped: some, unknown: some }),
      waiting: some,
      inFlight: some,
      toCome: some,
      rest: fc.constantFrom("cancelled" as const, "expired" as const, null),
      isReady: fc.boolean(),
    })
    .map(({ tally: settled, waiting, inFlight, toCome, rest, isReady }) => {
      const expanded = sum(settled) + waiting + inFlight;
      const recipient_count = expanded + (isReady ? 0 : toCome);
      const status = rest === null ? "running" : "cancelled";
      const audience_ready_at = isReady ? 1 : null;
      const record = { status, recipient_count, expanded, taken: inFlight + 7, answered: 7, rest, tally: settled };
      const pending = rest === null ? waiting + inFlight : inFlight;
      const rows = { ...settled, pending, given_up: rest === null ? 0 : waiting };
      return { record: { ...record, audience_ready_at }, rows };
    });

  it("In every state, a campaign's counts equal the counts of its recipients' rows", () => {
    fc.assert(
      fc.property(progress, ({ record, rows }) => {
        const counts = countsOf(record);
        expect(sum(counts)).toBe(record.recipient_count);
        expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(0);
        expect(countsOfRows(record, rows)).toEqual(counts);
      }),
    );
  });
});

describe("Rate", () => {
  const start = 1_700_000_000_000;
  const pace = {
    status: "running",
    started_at: start,
    pace_at: start,
    pace_now: 0,
    pace_before: 0,
    messages_per_second: 80,
  };

  it("A campaign's rate is measured over ten seconds, and determines the estimated end", () => {
    const later = { ...pace, pace_at: start + 10_000, pace_before: 800, pace_now: 400 };
    expect(paceOf(later, 4000, start + 15_000)).toEqual({ perSecond: 80, endsAt: start + 15_000 + 50_000 });
  });

  it("In the first ten seconds of a campaign, its rate is measured since its start", () => {
    expect(paceOf({ ...pace, pace_now: 160 }, 800, start + 2000)).toEqual({ perSecond: 80, endsAt: start + 12_000 });
  });

  it("A campaign's rate is 0 before the first settled send, and then the connection's rate determines the estimated end", () => {
    const still = { ...pace, pace_now: 800, pace_before: 800 };
    expect(paceOf(still, 800, start + 15_000).perSecond).toBe(40);
    expect(paceOf(still, 800, start + 60_000)).toEqual({ perSecond: 0, endsAt: start + 70_000 });
  });

  it.each(["scheduled", "paused", "completed", "cancelled", "failed"])(
    "The rate of a campaign with the status %s is null",
    (status) => {
      expect(paceOf({ ...pace, status }, 10, start + 1000)).toEqual({ perSecond: null, endsAt: null });
    },
  );
});
