import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullest, type Leave, messagesIn, PumpPlay, START } from "../support/pump-play.ts";

const SECOND = 1000;

const names = (count: number) => Array.from({ length: count }, (_, index) => `cmp_${index}`);

/** A pump whose campaigns always have more work. */
function running(rate: number, campaigns = 1, options: { lateMs?: () => number } = {}): PumpPlay {
  const play = new PumpPlay({ rate, ...options });
  play.run(...names(campaigns));
  return play;
}

/** The largest lease at a rate. */
const leaseAt = (rate: number) => Math.min(100, Math.ceil(rate / (rate > 200 ? 4 : 2)));

const ofCampaigns = ({ left }: PumpPlay) => left.filter(({ campaignId }) => campaignId !== null);

const used = (left: Leave[], rate: number, from: number, to: number) =>
  (messagesIn(left, from, to) * SECOND) / (rate * (to - from));

/** Expects that no second contains more messages than the rate at the time of their grants. */
function expectNoSecondTooFull(left: Leave[]): void {
  for (const [index, { at, count, rate }] of left.entries()) {
    if (count === 0) continue;
    const near = left.slice(0, index + 1).filter((other) => Math.abs(other.at - at) < SECOND);
    for (const { at: start } of near)
      if (start <= at) expect(messagesIn(near, start, start + SECOND)).toBeLessThanOrEqual(rate);
  }
}

describe("Campaigns without single sends", () => {
  it("Campaigns use at least 95 % of any rate from 26 to 1000 per second, and never exceed the rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 26, max: 1000 }), fc.integer({ min: 1, max: 5 }), (rate, campaigns) => {
        const play = running(rate, campaigns);
        play.until(START + 60 * SECOND);
        expect(used(play.left, rate, START, START + 60 * SECOND)).toBeGreaterThanOrEqual(0.95);
        expect(fullest(play.left)).toBe(rate);
      }),
      { numRuns: 40 },
    );
  });

  it.each([1, 2, 3, 5, 10, 25])(
    "Campaigns come as close to a rate of %i per second as whole messages allow",
    (rate) => {
      const play = running(rate);
      play.until(START + 104 * SECOND);
      expect(messagesIn(play.left, START, START + 104 * SECOND)).toBe(rate * 100);
      expect(fullest(play.left)).toBe(rate);
    },
  );

  it("If ticks are up to 50 ms late, campaigns use at least 94 % of the rate, and leave room for consumers that are 20 ms late", () => {
    const late = fc.infiniteStream(fc.nat(50));
    fc.assert(
      fc.property(fc.constantFrom(26, 80, 1000), late, (rate, lateness) => {
        const play = running(rate, 1, { lateMs: () => lateness.next().value ?? 0 });
        play.until(START + 60 * SECOND);
        expect(used(play.left, rate, START, START + 60 * SECOND)).toBeGreaterThanOrEqual(0.94);
        const squeezed = play.left.map((leave) => ({ ...leave, at: (leave.at * SECOND) / 1020 }));
        expect(fullest(squeezed)).toBeLessThanOrEqual(rate);
      }),
      { numRuns: 20 },
    );
  });

  it("Campaigns do not receive the grants of missed ticks later", () => {
    let lateMs = 0;
    const play = running(80, 1, { lateMs: () => lateMs });
    play.until(START + 5 * SECOND);
    lateMs = 3 * SECOND;
    play.until(START + 6 * SECOND);
    lateMs = 0;
    play.until(START + 30 * SECOND);
    expect(fullest(play.left)).toBe(80);
    expect(Math.max(...play.grants.map(({ size }) => size))).toBe(40);
    expect(used(play.left, 80, START + 10 * SECOND, START + 30 * SECOND)).toBeGreaterThanOrEqual(0.95);
  });

  it.each([1, 80, 200, 201, 1000])(
    "At %i messages per second, leases of campaigns have at most the intended size, and their times do not drift",
    (rate) => {
      const play = running(rate, 3);
      play.until(START + 20 * SECOND);
      expect(Math.max(...play.grants.map(({ size }) => size))).toBe(leaseAt(rate));
      expect(play.grants.every(({ at }) => (at - START) % 260 === 0)).toBe(true);
    },
  );

  it("Campaigns receive equally many messages, with a difference of at most one lease, or two if one campaign starts later", () => {
    const scenario = [fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2, max: 30 }), fc.nat(10_000)] as const;
    fc.assert(
      fc.property(...scenario, fc.boolean(), (rate, campaigns, joinsMs, isLater) => {
        const play = running(rate, isLater ? campaigns - 1 : campaigns);
        play.until(START + joinsMs);
        play.run(`cmp_${campaigns - 1}`);
        const since = isLater ? play.grants.length : 0;
        play.until(START + joinsMs + 60 * SECOND);
        const given = new Map<string, number>(names(campaigns).map((name) => [name, 0]));
        const lease = leaseAt(rate);
        for (const { campaignId, size } of play.grants.slice(since)) {
          given.set(campaignId, (given.get(campaignId) ?? 0) + size);
          const spread = Math.max(...given.values()) - Math.min(...given.values());
          expect(spread).toBeLessThanOrEqual(isLater ? 2 * lease : lease);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("A thousand campaigns at a low rate all receive leases", () => {
    const play = running(80, 1000);
    play.until(START + 540 * SECOND);
    expect(new Set(play.grants.map(({ campaignId }) => campaignId)).size).toBe(1000);
  });
});

describe("Single sends beside campaigns", () => {
  it.each([4, 26, 80, 1000])(
    "Beside campaigns at %i messages per second, a single direct message waits at most half a second",
    (rate) => {
      for (let phase = 0; phase < 520; phase += 7) {
        const play = running(rate);
        play.at(START + 5 * SECOND + phase, () => play.ask());
        play.until(START + 6 * SECOND);
        expect(play.waits).toHaveLength(1);
        expect(play.waits[0]).toBeLessThanOrEqual(rate > 200 ? 220 : 480);
        expect(fullest(play.left)).toBe(rate);
      }
    },
  );

  it.each([10, 80, 1000])(
    "At %i messages per second beside campaigns, a direct message every second soon waits at most 40 ms",
    (rate) => {
      const play = running(rate);
      for (let at = START; at < START + 60 * SECOND; at += SECOND) play.at(at + (at % 257), () => play.ask());
      play.until(START + 60 * SECOND);
      expect(play.waits).toHaveLength(60);
      expect(Math.max(...play.waits.slice(2))).toBeLessThanOrEqual(40);
      expect(used(ofCampaigns(play), rate, START + 2 * SECOND, START + 60 * SECOND)).toBeGreaterThan(0.75);
    },
  );

  it("Campaigns have the whole rate again 10 s after the last direct message", () => {
    const play = running(80);
    play.ask();
    play.until(START + 40 * SECOND);
    const share = (from: number, to: number) => messagesIn(ofCampaigns(play), START + from, START + to);
    // One slot is reserved while single sends arrive.
    expect(share(2080, 4160)).toBe(2 * 79);
    expect(share(20_000, 30_400)).toBe(800);
  });

  it.each([
    [2, 0.4],
    [5, 0.18],
    [80, 0.18],
  ])("At %i messages per second, campaigns keep a share despite too many direct messages", (rate, part) => {
    const play = running(rate);
    for (let at = START; at < START + 30 * SECOND; at += SECOND)
      play.at(at, () => {
        for (let n = 0; n < 2 * rate; n++) play.ask();
      });
    play.until(START + 30 * SECOND);
    expect(used(ofCampaigns(play), rate, START + 5 * SECOND, START + 30 * SECOND)).toBeGreaterThan(part);
    expect(used(play.left, rate, START + 5 * SECOND, START + 30 * SECOND)).toBeGreaterThan(0.95);
    expectNoSecondTooFull(play.left.slice(0, 600));
  });

  it("Direct messages have the whole rate if no campaign has work", () => {
    const play = new PumpPlay({ rate: 10, report: () => ({ afterMs: 1, next: "nothing" }) });
    play.run("cmp_0");
    play.until(START + 3 * SECOND);
    for (let n = 0; n < 10; n++) expect(play.ask()).toEqual({ isGranted: true, inMs: 0 });
  });
});

type Step =
  | { wait: number; lateMs: number }
  | { singles: number }
  | { rate: number }
  | { pauseMs: number }
  | { restart: true }
  | { runs: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ wait: fc.nat(2500), lateMs: fc.oneof(fc.constant(0), fc.nat(400)) }) },
    { weight: 4, arbitrary: fc.record({ singles: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 1, arbitrary: fc.record({ rate: fc.integer({ min: 1, max: 200 }) }) },
    { weight: 1, arbitrary: fc.record({ pauseMs: fc.integer({ min: 1, max: 4000 }) }) },
    { weight: 1, arbitrary: fc.constant<Step>({ restart: true }) },
    { weight: 3, arbitrary: fc.record({ runs: fc.nat(3) }) },
  ),
  { size: "max", maxLength: 50 },
);

describe("Campaigns and single sends", () => {
  async function expectNoneTooFull(numRuns: number): Promise<void> {
    const reports = fc.infiniteStream(fc.record({ afterMs: fc.nat(3000), to: fc.nat(9) }));
    fc.assert(
      fc.property(steps, reports, (trace, results) => {
        let lateMs = 0;
        const play = new PumpPlay({
          rate: 20,
          lateMs: () => lateMs,
          report: ({ at }) => {
            const { afterMs, to } = results.next().value ?? { afterMs: 0, to: 0 };
            return { afterMs, next: to === 0 ? "nothing" : to === 1 ? at + afterMs + 500 : "more" };
          },
        });
        const pauses: { until: number; grantedBefore: number }[] = [];
        for (const step of trace) {
          if ("wait" in step) {
            ({ lateMs } = step);
            play.until(play.now + step.wait);
          } else if ("singles" in step) for (let n = 0; n < step.singles; n++) play.ask();
          else if ("rate" in step) {
            play.rate = step.rate;
            play.run("cmp_0");
          } else if ("pauseMs" in step) {
            play.pause(step.pauseMs);
            pauses.push({ until: play.now + step.pauseMs, grantedBefore: play.grants.length });
          } else if ("runs" in step) play.run(`cmp_${step.runs}`);
          else play.restart(names(4));
        }
        expectNoSecondTooFull(play.left);
        for (const { until, grantedBefore } of pauses)
          expect(play.grants.slice(grantedBefore).filter(({ at }) => at < until)).toEqual([]);
      }),
      { numRuns },
    );
  }

  it("Campaigns and direct messages together never exceed the rate, despite late ticks, bursts, pauses, new rates and restarts", () =>
    expectNoneTooFull(12));

  it("Campaigns and direct messages together never exceed the rate in sixty random histories", { tags: "long" }, () =>
    expectNoneTooFull(60),
  );
});
