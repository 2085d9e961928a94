import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Slot } from "../../src/features/pacing/pacing.schemas.ts";
import { Slots } from "../../src/features/pacing/pacing.slots.ts";

const START = 1_000_000;
const PATIENCE_MS = 2000;

/** The definition in plain code. It keeps every granted slot and checks every millisecond. */
class Oracle {
  readonly #granted: { at: number; address: string }[] = [];
  readonly #pauses: { address: string | null; until: number; grantedBefore: number }[] = [];
  #planEnd = -Infinity;
  #rate = 1;

  take(now: number, rate: number, address: string, isReturning: boolean): Slot {
    if (rate > this.#rate && this.#planEnd > now) this.#planEnd = now + ((this.#planEnd - now) * this.#rate) / rate;
    this.#rate = rate;
    const next = this.#planEnd + 1000 / rate;
    const fits = this.#fitting(now);
    const personAt = this.#personAt(now, address);
    for (let at = now; at <= now + PATIENCE_MS; at++) {
      if (!fits(at) || at < personAt || (!isReturning && at < next)) continue;
      this.#granted.push({ at, address });
      return { isGranted: true, inMs: at - now };
    }
    let place = Math.max(now, next);
    while (!fits(place)) place = Math.floor(place) + 1;
    if (place >= personAt) this.#planEnd = place;
    return { isGranted: false, inMs: Math.ceil(Math.max(place, personAt) - now) };
  }

  pause(until: number, address: string | null): void {
    this.#pauses.push({ address, until, grantedBefore: this.#granted.length });
  }

  /** True for times at which no second exceeds the rate, and waiting messages keep their distance. */
  #fitting(now: number): (at: number) => boolean {
    const rate = this.#rate;
    const times = this.#granted.map((slot) => slot.at).filter((time) => time > now - 1000);
    const pauses = this.#pauses.filter(({ address }) => address === null);
    return (at) => {
      if (pauses.some(({ until }) => at < until)) return false;
      if (at > now && times.some((time) => Math.abs(time - at) < Math.floor(1000 / rate))) return false;
      const starts = [at, ...times].filter((start) => start <= at && start > at - 1000);
      return starts.every((start) => times.filter((time) => time >= start && time < start + 1000).length < rate);
    };
  }

  /**
   * A person can receive 45 messages at once, and one more every 6 s. If the rate rises, a slot can come before earlier
   * grants, so the definition counts from every earlier message.
   */
  #personAt(now: number, person: string): number {
    const sent = (slots: { at: number; address: string }[]) => slots.filter(({ address }) => address === person);
    const own = sent(this.#granted).map(({ at }) => at);
    const pauses = this.#pauses.filter(({ address }) => address === person);
    return Math.max(
      now,
      ...own.map((start, index) => start + 6000 * (own.length - index - 44)),
      ...pauses.map(({ until, grantedBefore }) => until + 6000 * sent(this.#granted.slice(grantedBefore)).length),
    );
  }
}

type Step =
  | { wait: number }
  | { asks: number; person: number; isReturning: boolean }
  | { rate: number }
  | { pauseMs: number; person: number | null }
  | { save: true };

const person = fc.nat(3);

/** The pause of a person is longer than the longest plan of slots, so that no message is sent between two pauses. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ wait: fc.oneof(fc.integer({ min: -20, max: 120 }), fc.nat(2500)) }) },
    { weight: 8, arbitrary: fc.record({ asks: fc.integer({ min: 1, max: 12 }), person, isReturning: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ rate: fc.integer({ min: 1, max: 30 }) }) },
    { weight: 1, arbitrary: fc.record({ pauseMs: fc.integer({ min: 1, max: 4000 }), person: fc.constant(null) }) },
    { weight: 1, arbitrary: fc.record({ pauseMs: fc.integer({ min: PATIENCE_MS, max: 9000 }), person }) },
    { weight: 1, arbitrary: fc.constant<Step>({ save: true }) },
  ),
  { size: "max", maxLength: 60 },
);

const addressOf = (index: number) => `+1415555010${index}`;

function play(trace: Step[]): void {
  const oracle = new Oracle();
  let slots = new Slots();
  let [clock, now, rate] = [START, 0, 10];
  const provider = "whatsapp_cloud";
  for (const step of trace) {
    if ("wait" in step) clock += step.wait;
    else if ("rate" in step) rate = step.rate;
    else if ("save" in step) slots = Slots.restore(structuredClone(slots.save()));
    else if ("pauseMs" in step) {
      now = Math.max(now, clock);
      const address = step.person === null ? null : addressOf(step.person);
      oracle.pause(now + step.pauseMs, address);
      const scope = address === null ? "connection" : "recipient";
      slots.pause(clock, { provider, scope, address: address ?? "", forMs: step.pauseMs });
    } else
      for (let i = 0; i < step.asks; i++) {
        now = Math.max(now, clock);
        const { isReturning } = step;
        const address = addressOf(step.person);
        const expected = oracle.take(now, rate, address, isReturning);
        expect(slots.take(clock, { provider, address, messagesPerSecond: rate, isReturning })).toEqual(expected);
      }
  }
}

describe("Slots", () => {
  const expectAsDefined = (numRuns: number) => fc.assert(fc.property(steps, play), { numRuns });

  it("The pacer grants the same slots as its reference model, for any bursts, pauses, rates and restarts, and if clocks go back", () =>
    expectAsDefined(10));

  it("The pacer grants the same slots as its reference model in sixty generated histories", { tags: "long" }, () =>
    expectAsDefined(60),
  );
});
