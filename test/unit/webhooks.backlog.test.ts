import fc from "fast-check";
import { expect, test } from "vitest";
import { Backlog, MAX_PARKED } from "../../src/features/webhooks/webhooks.backlog.ts";
import type { ReadEvent } from "../../src/features/webhooks/webhooks.fresh-events.ts";
import {
  type Delivery,
  deliveryId,
  splitDelivery,
  type WantedEvent,
} from "../../src/features/webhooks/webhooks.deliveries.ts";
import { HOLD_MS } from "../../src/features/webhooks/webhooks.holds.ts";

const event = (sequence: number, key = `ct_${sequence}`, bytes = 1000): ReadEvent => ({
  id: `evt_${String(sequence).padStart(6, "0")}`,
  sequence,
  type: "contact.updated",
  key,
  bytes,
});
const failed = (delivery: Delivery, at: number, dueAt: number): Delivery => ({
  ...delivery,
  tries: delivery.tries + 1,
  firstFailedAt: delivery.firstFailedAt ?? at,
  lastAttemptAt: at,
  dueAt,
});
const sequencesOf = (delivery: Delivery | null) => delivery?.events.map(({ sequence }) => sequence) ?? [];
const takeAll = (backlog: Backlog, now: number) => {
  const taken: Delivery[] = [];
  for (let each = backlog.take(now, null); each.delivery !== null; each = backlog.take(now, null))
    taken.push(each.delivery);
  return taken;
};

test("One event of a contact is on its way at a time, those of others beside it", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1, "a"), event(2, "a"), event(3, "b")], 3, 0);
  const [first, second, ...others] = takeAll(backlog, 0);
  expect([first, second].map((each) => sequencesOf(each ?? null))).toEqual([[1], [3]]);
  expect(others).toEqual([]);
  backlog.settle(first?.id ?? "", null);
  expect(takeAll(backlog, 0).map(sequencesOf)).toEqual([[2]]);
});

test("Later events of a contact wait behind a failure for at most five minutes", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1, "a")], 1, 0);
  const [first] = takeAll(backlog, 0);
  if (first === undefined) throw new Error("Nothing was taken.");
  backlog.settle(first.id, failed(first, 0, 600_000));
  backlog.add([event(2, "a"), event(3, "a"), event(4, "b")], 4, 0);
  const taken = backlog.take(0, null);
  expect(sequencesOf(taken.delivery)).toEqual([4]);
  expect(taken.held.map(sequencesOf)).toEqual([[2], [3]]);
  expect(backlog.cursor).toBe(3);
  backlog.settle(taken.delivery?.id ?? "", null);
  expect([backlog.cursor, backlog.doneThrough]).toEqual([4, 0]);
  expect(backlog.nextAt(0, null)).toBe(HOLD_MS);
  expect(backlog.take(HOLD_MS - 1, null).delivery).toBeNull();
  expect(takeAll(backlog, HOLD_MS).map(sequencesOf)).toEqual([[2]]);
});

test("A batch waits until it is full or its first event has waited long enough", () => {
  const backlog = new Backlog(0, []);
  const batch = { maxEvents: 3, maxWaitMs: 1000 };
  backlog.add([event(1), event(2, "ct_1")], 2, 0);
  expect(backlog.take(0, batch).delivery).toBeNull();
  expect(backlog.nextAt(0, batch)).toBe(1000);
  backlog.add([event(3), event(4)], 4, 500);
  expect(sequencesOf(backlog.take(500, batch).delivery)).toEqual([1, 2, 3]);
  expect(backlog.take(500, batch).delivery).toBeNull();
  expect(sequencesOf(backlog.take(1500, batch).delivery)).toEqual([4]);
});

test("While an answer is awaited, only what could leave beside it says when to look again", () => {
  const alone = new Backlog(0, []);
  alone.add([event(1, "a"), event(2, "a")], 2, 0);
  const [first] = takeAll(alone, 0);
  expect(alone.nextAt(0, null)).toBe(Infinity);
  alone.settle(first?.id ?? "", null);
  expect(alone.nextAt(0, null)).toBe(0);

  const batch = { maxEvents: 2, maxWaitMs: 1000 };
  const batched = new Backlog(0, []);
  batched.add([event(1, "a"), event(2, "b")], 2, 0);
  batched.take(0, batch);
  batched.add([event(3, "a"), event(4, "b")], 4, 10);
  expect(batched.nextAt(10, batch)).toBe(Infinity);
  batched.add([event(5, "c")], 5, 20);
  expect(batched.take(20, batch).delivery).toBeNull();
  expect(batched.nextAt(20, batch)).toBe(1020);
  expect(sequencesOf(batched.take(1020, batch).delivery)).toEqual([5]);
});

test("A probe passes over events that wait for an earlier one of their contact", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1, "a"), event(2, "a"), event(3, "a"), event(4, "b")], 4, 0);
  const { delivery: first } = backlog.take(0, null);
  if (first !== null) backlog.settle(first.id, failed(first, 0, 0));
  const probed = [10, 20].map((now) => {
    const probe = backlog.takeProbe(now);
    if (probe !== null) backlog.settle(probe.id, failed(probe, now, now));
    return sequencesOf(probe);
  });
  expect(probed).toEqual([[4], [1]]);
  expect(sequencesOf(backlog.takeProbe(HOLD_MS))).toEqual([2]);
});

test("Events of types that are wanted no more are not sent, and reading goes on behind them", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1), { ...event(2), type: "tag.created" }, event(3)], 3, 0);
  backlog.keepTypes(["tag.created"]);
  const [only, ...others] = takeAll(backlog, 0);
  expect([sequencesOf(only ?? null), others]).toEqual([[2], []]);
  backlog.settle(only?.id ?? "", null);
  expect(backlog.doneThrough).toBe(3);
});

test("A delivery that is parted goes on with its first events, and the others follow", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1, "a"), event(2, "a"), event(3)], 3, 0);
  const { delivery } = backlog.take(0, { maxEvents: 3, maxWaitMs: 0 });
  if (delivery === null) throw new Error("Nothing was taken.");
  const { head, tail } = splitDelivery(delivery, 2, 5);
  backlog.replaceInFlight(delivery.id, head, tail);
  expect([head, tail].map(sequencesOf)).toEqual([[1], [2, 3]]);
  expect([backlog.doneThrough, backlog.take(5, null).delivery]).toEqual([0, null]);
  backlog.settle(head.id, null);
  expect(backlog.take(5, null).delivery).toEqual(tail);
});

test("A probe takes new events first, then what was tried longest ago, and nothing else", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1), event(2)], 2, 0);
  for (const now of [10, 20]) {
    const probe = backlog.takeProbe(now);
    if (probe === null) throw new Error("There is something to try.");
    backlog.settle(probe.id, { ...probe, firstFailedAt: now, lastAttemptAt: now, dueAt: now });
  }
  expect(sequencesOf(backlog.takeProbe(30))).toEqual([1]);
});

test("No more is read while as much is parked as may be", () => {
  const parked = Array.from({ length: MAX_PARKED }, (_, index) => {
    const events = [event(index + 1)];
    return { id: deliveryId(events), events, tries: 1, firstFailedAt: 0, lastAttemptAt: 0, dueAt: 1, isReplay: false };
  });
  const backlog = new Backlog(MAX_PARKED, parked);
  expect(backlog.isFull).toBe(true);
  const { delivery } = backlog.take(1, null);
  backlog.settle(delivery?.id ?? "", null);
  expect(backlog.isFull).toBe(false);
});

test("What waits becomes due at once, each contact's in its order and with the tries it has left", () => {
  const backlog = new Backlog(0, []);
  backlog.add([event(1, "a"), event(2, "b"), event(3, "a")], 3, 0);
  for (const each of takeAll(backlog, 0)) backlog.settle(each.id, failed(each, 0, 9_000_000));
  expect(takeAll(backlog, 1)).toEqual([]);
  backlog.makeDue(1000);
  expect(backlog.nextAt(1000, null)).toBe(1000);
  const taken = takeAll(backlog, 1000);
  expect(taken.map((each) => [sequencesOf(each), each.tries])).toEqual([
    [[1], 1],
    [[2], 1],
  ]);
  for (const each of taken) backlog.settle(each.id, null);
  expect(takeAll(backlog, 1000).map(sequencesOf)).toEqual([[3]]);
});

test("A replay does not move the webhook's cursor", () => {
  const backlog = new Backlog(10, []);
  backlog.addReplay([event(3), event(4)], 0);
  const [first] = takeAll(backlog, 0);
  expect([backlog.cursor, backlog.doneThrough, backlog.hasFreshReplay]).toEqual([10, 10, true]);
  if (first !== undefined) backlog.settle(first.id, failed(first, 0, 50));
  expect(backlog.doneThrough).toBe(10);
});

test("Whatever fails, crashes and comes back, each event arrives, and those of a key in their order within five minutes", () => {
  const step = fc.record({
    fails: fc.integer({ min: 0, max: 3 }),
    isCrash: fc.integer({ min: 0, max: 40 }).map((value) => value === 0),
    inMs: fc.integer({ min: 0, max: 1000 }),
  });
  const keys = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 60 });
  const batches = fc.option(fc.record({ maxEvents: fc.integer({ min: 1, max: 5 }), maxWaitMs: fc.constant(100) }));
  fc.assert(
    fc.property(keys, fc.array(step, { minLength: 20, maxLength: 200 }), batches, (list, steps, batch) => {
      const log = list.map((key, index) => event(index + 1, `k${key}`));
      const stored = new Map<string, Delivery>();
      let cursor = 0;
      let backlog = new Backlog(0, []);
      let now = 0;
      const arrived: WantedEvent[] = [];
      const tries = new Map<string, number>();
      let failuresInRow = 0;
      for (let turn = 0; turn < 5000 && new Set(arrived.map(({ id }) => id)).size < log.length; turn++) {
        const { fails, isCrash, inMs } = steps[turn % steps.length] ?? { fails: 0, isCrash: false, inMs: 0 };
        now += inMs;
        const page = log.slice(backlog.end, backlog.end + 10);
        if (page.length > 0) backlog.add(page, backlog.end + page.length, now);
        const isProbing = failuresInRow >= 3;
        const probe = isProbing && backlog.inFlightCount === 0 ? backlog.takeProbe(now) : null;
        const { delivery, held } = isProbing ? { delivery: probe, held: [] } : backlog.take(now, batch);
        for (const each of held) stored.set(each.id, each);
        if (delivery === null) now = Math.min(Math.max(now, backlog.nextAt(now, batch)), now + 5000);
        else {
          const count = tries.get(delivery.id) ?? 0;
          // Two failures in a row are over within five minutes.
          if (fails === 0 && count < 2) {
            tries.set(delivery.id, count + 1);
            const next = failed(delivery, now, now + 5000);
            stored.set(next.id, next);
            backlog.settle(next.id, next);
            failuresInRow++;
          } else {
            failuresInRow = 0;
            arrived.push(...delivery.events);
            stored.delete(delivery.id);
            backlog.settle(delivery.id, null);
          }
        }
        if (!isCrash || turn % 7 > 0) cursor = turn % 3 === 0 ? backlog.cursor : cursor;
        else backlog = new Backlog(cursor, [...stored.values()]);
      }
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(log.length);
      for (const own of Map.groupBy(arrived, ({ key }) => key).values()) {
        const firsts = [...new Set(own.map(({ sequence }) => sequence))];
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 300 },
  );
});
