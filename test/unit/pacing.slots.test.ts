import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Slots } from "../../src/features/pacing/pacing.slots.ts";

const START = 1_000_000;
const PATIENCE_MS = 2000;

interface Asker {
  provider?: string;
  address?: string;
  isReturning?: boolean;
}

const request = (messagesPerSecond: number, asker: Asker = {}) => ({
  provider: "sandbox",
  address: "+14155550101",
  isReturning: false,
  messagesPerSecond,
  ...asker,
});

/** The largest number of slots in any second. */
const fullest = (granted: number[]) =>
  Math.max(...granted.map((start) => granted.filter((at) => at >= start && at < start + 1000).length));

/**
 * Sends messages at these times, and returns the times of all sends. A message without a slot comes back `lateMs` too
 * late.
 */
function simulate(arrivals: number[], rateAt: (now: number) => number, lateMs: () => number, asker: Asker = {}) {
  const slots = new Slots();
  const waiting = arrivals.map((at) => ({ at, arrived: at, asked: 0 }));
  const left: { arrived: number; at: number; asked: number }[] = [];
  for (;;) {
    waiting.sort((a, b) => a.at - b.at);
    const message = waiting.shift();
    if (message === undefined) return left;
    message.asked++;
    const isReturning = message.asked > 1;
    const { isGranted, inMs } = slots.take(message.at, request(rateAt(message.at), { ...asker, isReturning }));
    if (isGranted) left.push({ ...message, at: message.at + inMs });
    else waiting.push({ ...message, at: message.at + inMs + lateMs() });
  }
}

const times = (left: { at: number }[]) => left.map(({ at }) => at).toSorted((a, b) => a - b);

describe("Slots", () => {
  it("A connection does not exceed its rate, and sends all messages in time, even if they return late for their slots", () => {
    const late = fc.infiniteStream(fc.nat(1500));
    const arrivals = fc.array(fc.nat(20_000), { size: "max", minLength: 20, maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), arrivals, late, (rate, offsets, lateness) => {
        const left = simulate(
          offsets.map((offset) => START + offset),
          () => rate,
          () => lateness.next().value ?? 0,
        );
        expect(left).toHaveLength(offsets.length);
        expect(fullest(times(left))).toBeLessThanOrEqual(rate);
        const spare = 5000 + (offsets.length / rate) * 1000 * 1.1;
        for (const { arrived, at, asked } of left) {
          expect(at - arrived).toBeLessThan(spare);
          expect(asked).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("Messages up to the rate are sent at once, the next ones get evenly spaced slots within 2 s, and all others must return later", () => {
    const slots = new Slots();
    const given = Array.from({ length: 24 }, () => slots.take(START, request(10)));
    expect(given.filter(({ isGranted }) => isGranted).map(({ inMs }) => inMs)).toEqual([
      ...Array.from({ length: 10 }, () => 0),
      ...Array.from({ length: 11 }, (_, n) => 1000 + n * 100),
    ]);
    expect(given.slice(21)).toEqual([2100, 2200, 2300].map((inMs) => ({ isGranted: false, inMs })));
  });

  it("A message that was told to return later is then sent before new messages of the connection", () => {
    const slots = new Slots();
    for (let n = 0; n < 31; n++) slots.take(START, request(10));
    const now = START + 2100;
    expect(slots.take(now, request(10))).toEqual({ isGranted: true, inMs: 1000 });
    expect(slots.take(now, request(10, { isReturning: true }))).toEqual({ isGranted: true, inMs: 0 });
  });

  it("Slots that were granted earlier but not used do not delay later messages of the connection", () => {
    const slots = new Slots();
    for (let n = 0; n < 500; n++) slots.take(START, request(10));
    expect(slots.take(START + 60_000, request(10))).toEqual({ isGranted: true, inMs: 0 });
  });

  it.each([1, 3, 7, 80, 600, 1000])(
    "A connection's slots use the full rate of %i per second while messages wait",
    (rate) => {
      const left = simulate(
        Array.from({ length: rate * 4 }, () => START),
        () => rate,
        () => 0,
      );
      expect(fullest(times(left))).toBe(rate);
      expect(Math.max(...times(left)) - START).toBeLessThanOrEqual(4000);
    },
  );

  it.each([
    [10, 1],
    [2, 50],
  ])("After the rate of a connection changes from %i to %i, new slots follow the new rate", (before, after) => {
    const change = START + 3000;
    const arrivals = Array.from({ length: 100 }, (_, n) => START + n * 50);
    const left = times(
      simulate(
        arrivals,
        (now) => (now < change ? before : after),
        () => 0,
      ),
    );
    expect(left).toHaveLength(100);
    expect(fullest(left.filter((at) => at < change))).toBeLessThanOrEqual(before);
    // The slots of two seconds were granted before the change.
    expect(fullest(left.filter((at) => at > change + PATIENCE_MS))).toBeLessThanOrEqual(after);
  });

  it("A connection's slots stop during a pause, and continue evenly after it", () => {
    const slots = new Slots();
    slots.pause(START, { provider: "sandbox", scope: "connection", address: "", forMs: 1500 });
    expect([1, 2].map(() => slots.take(START, request(10)).inMs)).toEqual([1500, 1600]);
    slots.pause(START, { provider: "sandbox", scope: "connection", address: "", forMs: 30_000 });
    expect([1, 2].map(() => slots.take(START, request(10)))).toEqual([
      { isGranted: false, inMs: 30_000 },
      { isGranted: false, inMs: 30_100 },
    ]);
    expect(slots.take(START + 30_000, request(10, { isReturning: true }))).toEqual({ isGranted: true, inMs: 0 });
  });
});

describe("Campaign room", () => {
  it("Campaigns can use only what direct messages leave free of the rate in every second around the current time", () => {
    const slots = new Slots();
    slots.take(START, request(10));
    slots.pause(START, { provider: "sandbox", scope: "connection", address: "", forMs: 600 });
    const later = Array.from({ length: 7 }, () => slots.take(START, request(10)).inMs);
    expect(later).toEqual([600, 700, 800, 900, 1000, 1100, 1200]);
    const moments = [0, 300, 999, 1000, 1599, 1600, 2199, 2200];
    expect(moments.map((ms) => slots.room(START + ms))).toEqual([5, 3, 3, 3, 3, 4, 9, 10]);
    slots.spend(START + 2300, 10);
    expect(slots.room(START + 3299)).toBe(0);
    expect(slots.room(START + 3300)).toBe(10);
  });
});

describe("Messages to one person", () => {
  const address = "+14155550109";
  const provider = "whatsapp_cloud";

  it("On whatsapp_cloud, one person receives 45 messages at once, then one per 6 s, and other people do not wait", () => {
    const slots = new Slots();
    const first = Array.from({ length: 45 }, () => slots.take(START, request(1000, { provider, address })));
    expect(first.every(({ isGranted, inMs }) => isGranted && inMs === 0)).toBe(true);
    expect(slots.take(START, request(1000, { provider, address }))).toEqual({ isGranted: false, inMs: 6000 });
    expect(slots.take(START, request(1000, { provider }))).toEqual({ isGranted: true, inMs: 0 });
    const back = { provider, address, isReturning: true };
    expect(slots.take(START + 4000, request(1000, back))).toEqual({ isGranted: true, inMs: 2000 });
    expect(slots.take(START + 6000, request(1000, back))).toEqual({ isGranted: false, inMs: 6000 });
    expect(slots.take(START + 12_000, request(1000, back))).toEqual({ isGranted: true, inMs: 0 });
  });

  it("Other providers have no limit per person", () => {
    const left = simulate(
      Array.from({ length: 500 }, () => START),
      () => 1000,
      () => 0,
      { address },
    );
    expect(new Set(times(left))).toEqual(new Set([START]));
  });

  it("After a pause, a person receives one message at once, and on whatsapp_cloud the next one 6 s later", () => {
    for (const [on, next] of [
      ["sandbox", { isGranted: true, inMs: 0 }],
      [provider, { isGranted: false, inMs: 6000 }],
    ] as const) {
      const slots = new Slots();
      slots.pause(START, { provider: on, scope: "recipient", address, forMs: 10_000 });
      expect(slots.take(START, request(80, { provider: on, address }))).toEqual({ isGranted: false, inMs: 10_000 });
      expect(slots.take(START, request(80, { provider: on })).inMs).toBe(0);
      const back = request(80, { provider: on, address, isReturning: true });
      expect(slots.take(START + 10_000, back)).toEqual({ isGranted: true, inMs: 0 });
      expect(slots.take(START + 10_000, back)).toEqual(next);
    }
  });

  it("The pacer forgets a person whose allowance is full again, so that memory stays limited", () => {
    const slots = new Slots();
    for (let n = 0; n < 100_000; n++)
      slots.take(START + n, request(1000, { provider, address: `+1415${1_000_000 + n}` }));
    const { people, taken } = slots.save();
    expect(people.size).toBeLessThanOrEqual(7001);
    expect(taken.length).toBeLessThanOrEqual(3000);
  });
});
