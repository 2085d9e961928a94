import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlidingWindow } from "../../src/features/rate-limits/rate-limits.window.ts";

/** The definition in plain code. It keeps every accepted request. */
class Oracle {
  #log: number[] = [];
  #now = 0;
  constructor(
    public limit: number,
    public windowMs: number,
  ) {}

  giveBack(at: number) {
    this.#log = this.#log.toSpliced(this.#log.lastIndexOf(at), 1);
  }

  take(now: number) {
    this.#now = Math.max(this.#now, now);
    const inWindow = () => this.#log.filter((time) => time > this.#now - this.windowMs);
    const allowed = inWindow().length < this.limit;
    if (allowed) this.#log.push(this.#now);
    const counted = inWindow();
    const leavesIn = (time: number | undefined) => (time ?? NaN) + this.windowMs - this.#now;
    return {
      allowed,
      remaining: Math.max(0, this.limit - counted.length),
      resetMs: leavesIn(counted[0]),
      retryAfterMs: allowed ? 0 : leavesIn(counted.at(-this.limit)),
    };
  }
}

type Step =
  | { wait: number }
  | { burst: number }
  | { givesBack: number }
  | { save: true }
  | { limit: number; windowMs: number };

const steps = (limit: fc.Arbitrary<number>, windowMs: fc.Arbitrary<number>): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ wait: fc.oneof(fc.integer({ min: -20, max: 30 }), fc.nat(1500)) }) },
      { weight: 6, arbitrary: fc.record({ burst: fc.integer({ min: 1, max: 25 }) }) },
      { weight: 2, arbitrary: fc.record({ givesBack: fc.nat(30) }) },
      { weight: 1, arbitrary: fc.constant<Step>({ save: true }) },
      { weight: 1, arbitrary: fc.record({ limit, windowMs }) },
    ),
    { size: "max", maxLength: 400 },
  );

const limits = fc.integer({ min: 1, max: 20 });
const windows = fc.integer({ min: 1, max: 1000 });

/**
 * Runs requests on a virtual clock, and compares the results with the definition. `shape` adapts each new policy to the
 * test.
 */
function play(
  trace: Step[],
  shape: (old: Oracle, limit: number, windowMs: number) => [number, number],
  checkReset: boolean,
) {
  const oracle = new Oracle(10, 500);
  let window = new SlidingWindow(10, 500);
  let now = 1_000_000;
  const accepted: number[] = [];
  for (const step of trace) {
    if ("wait" in step) now += step.wait;
    else if ("givesBack" in step) {
      const [at] = accepted.splice(-1 - step.givesBack, 1);
      // A longer window counts older requests again, and the window has no time to replace one that it gave back.
      if (!checkReset || at === undefined) continue;
      oracle.giveBack(at);
      window.giveBack(at);
    } else if ("save" in step) window = SlidingWindow.restore(window.serialize());
    else if ("limit" in step) {
      [oracle.limit, oracle.windowMs] = shape(oracle, step.limit, step.windowMs);
      window.resize(oracle.limit, oracle.windowMs);
    } else
      for (let i = 0; i < step.burst; i++) {
        const { resetMs, ...expected } = oracle.take(now);
        const taken = window.take(now);
        if (taken.allowed) accepted.push(taken.at);
        expect(taken).toMatchObject(checkReset ? { ...expected, resetMs } : expected);
      }
  }
}

describe("Sliding windows", () => {
  async function expectAsDefined(numRuns: number): Promise<void> {
    fc.assert(
      fc.property(steps(limits, windows), (trace) => {
        play(trace, (old, limit, windowMs) => [limit, Math.min(windowMs, old.windowMs)], true);
      }),
      { numRuns },
    );
  }

  it("A sliding window accepts the same requests as its reference model, for any limits and for windows that do not grow", () =>
    expectAsDefined(15));

  it(
    "A sliding window accepts the same requests as its reference model in a hundred histories, with windows that do not grow",
    { tags: "long" },
    () => expectAsDefined(100),
  );

  async function expectAsDefinedWhenLowered(numRuns: number): Promise<void> {
    fc.assert(
      fc.property(steps(limits, windows), (trace) => {
        play(trace, (old, limit, windowMs) => [Math.min(limit, old.limit), windowMs], false);
      }),
      { numRuns },
    );
  }

  it("A sliding window accepts the same requests as its reference model, for any windows and for limits that do not grow", () =>
    expectAsDefinedWhenLowered(15));

  it(
    "A sliding window accepts the same requests as its reference model in a hundred histories, with limits that do not grow",
    { tags: "long" },
    () => expectAsDefinedWhenLowered(100),
  );

  it("After a rejection, a sliding window accepts a request when the seconds of Retry-After have passed", () => {
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(900), { size: "max", maxLength: 200 }),
        (limit, seconds, waits) => {
          const window = new SlidingWindow(limit, seconds * 1000);
          let now = 0;
          for (const wait of waits) {
            now += wait;
            const { allowed, retryAfterMs } = window.take(now);
            if (allowed) continue;
            expect(window.take(now + retryAfterMs - 1).allowed).toBe(false);
            now += Math.ceil(retryAfterMs / 1000) * 1000;
            expect(window.take(now).allowed).toBe(true);
          }
        },
      ),
    );
  });

  it("A sliding window with a limit of 10,000 an hour accepts exactly 10,000, even if all requests arrive at once", () => {
    const window = new SlidingWindow(10_000, 3_600_000);
    const through = (now: number) =>
      Array.from({ length: 12_000 }, () => window.take(now)).filter((t) => t.allowed).length;
    expect(through(0)).toBe(10_000);
    expect(through(3_599_999)).toBe(0);
    expect(window.serialize().byteLength).toBe(80_024);
    expect(through(3_600_000)).toBe(10_000);
  });

  it("After its limit is lowered, a sliding window counts earlier requests until they expire, even if the limit is raised again", () => {
    const window = new SlidingWindow(10, 1000);
    for (let i = 0; i < 10; i++) window.take(i);
    window.resize(3, 1000);
    expect(window.take(1006)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 1, resetMs: 1 });
    expect(window.take(1007).allowed).toBe(true);
    window.resize(10, 1000);
    expect(window.take(1007)).toMatchObject({ allowed: true, remaining: 6 });
  });

  it("A sliding window that becomes longer still counts requests that had left the shorter window", () => {
    const window = new SlidingWindow(2, 1000);
    window.take(0);
    window.take(1);
    window.resize(2, 60_000);
    expect(window.take(5000)).toMatchObject({ allowed: false, retryAfterMs: 55_000 });
  });

  it("If the clock goes back, a sliding window still counts its earlier requests, even after a restart", () => {
    const window = new SlidingWindow(1, 1000);
    window.take(10_000);
    expect(window.take(9_000)).toMatchObject({ allowed: false, retryAfterMs: 1000 });
    expect(SlidingWindow.restore(window.serialize()).take(9_000)).toMatchObject({ allowed: false, retryAfterMs: 1000 });
  });

  it.each([0, 1])(
    "After a clock that was a day ahead is corrected, a sliding window accepts requests again within one window, with %d restarts",
    (restarts) => {
      let window = new SlidingWindow(2, 1000);
      const now = 1_000_000;
      window.take(now);
      for (let i = 0; i < 2; i++) expect(window.take(now + 86_400_000).allowed).toBe(true);
      if (restarts > 0) window = SlidingWindow.restore(window.serialize());
      expect(window.take(now + 10)).toMatchObject({ allowed: false, retryAfterMs: 1000 });
      expect(window.take(now + 1009).allowed).toBe(false);
      expect(window.take(now + 1010)).toMatchObject({ allowed: true, remaining: 1 });
    },
  );
});
