import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_DELAY_MS } from "../../src/features/webhooks/sending/delivery-order.ts";
import { MAX_PARKED } from "../../src/features/webhooks/sending/pending-deliveries.ts";
import { type Delivery, deliveryId, type WantedEvent } from "../../src/features/webhooks/webhooks.deliveries.ts";
import {
  fail,
  newDeliveries,
  readEvent as event,
  sequencesOf,
  StoredDeliveries,
  succeed,
  takeAll,
} from "../support/stored-deliveries.ts";

test("Only one webhook event of a contact is sent at a time, and events of other contacts do not wait for it", () => {
  const deliveries = newDeliveries();
  deliveries.add([event(1, "a"), event(2, "a"), event(3, "b")], 3, 0);
  const [first, second, ...others] = takeAll(deliveries, 0);
  expect([first, second].map(sequencesOf)).toEqual([[1], [3]]);
  expect(others).toEqual([]);
  succeed(deliveries, first);
  expect(takeAll(deliveries, 0).map(sequencesOf)).toEqual([[2]]);
});

test("If a webhook event fails, later events of its contact wait for at most five minutes", () => {
  const rows = new StoredDeliveries();
  const deliveries = newDeliveries(0, rows);
  deliveries.add([event(1, "a")], 1, 0);
  fail(deliveries, deliveries.due(0, null), { now: 0, inMs: 600_000 });
  deliveries.add([event(2, "a"), event(3, "a"), event(4, "b")], 4, 0);
  const taken = deliveries.due(0, null);
  expect(sequencesOf(taken)).toEqual([4]);
  expect(rows.loadPending().map(sequencesOf)).toEqual([[1], [2], [3]]);
  expect(deliveries.cursor).toBe(3);
  succeed(deliveries, taken);
  expect([deliveries.cursor, deliveries.doneThrough]).toEqual([4, 0]);
  expect(deliveries.nextAt(0, null)).toBe(MAX_DELAY_MS);
  expect(deliveries.due(MAX_DELAY_MS - 1, null)).toBeNull();
  expect(takeAll(deliveries, MAX_DELAY_MS).map(sequencesOf)).toEqual([[2]]);
});

test("If the failure of a webhook event cannot be stored, the event is sent again, and is read again after a crash", () => {
  const rows = new StoredDeliveries();
  const deliveries = newDeliveries(0, rows);
  deliveries.add([event(1, "a"), event(2, "b")], 2, 0);
  const [first, second] = takeAll(deliveries, 0);
  rows.isBroken = true;
  expect(() => fail(deliveries, first, { now: 0, inMs: 0 })).toThrow("broken");
  if (first !== undefined) deliveries.skip(first, 0);
  succeed(deliveries, second);
  expect([deliveries.cursor, deliveries.doneThrough, deliveries.inFlightCount]).toEqual([0, 0, 0]);
  expect(newDeliveries(deliveries.cursor, rows).end).toBe(0);
  const again = deliveries.due(5000, null);
  expect(sequencesOf(again)).toEqual([1]);
  succeed(deliveries, again);
  expect([deliveries.cursor, deliveries.doneThrough]).toEqual([2, 2]);
});

test("The cursor of a webhook does not pass a waiting event that cannot be stored", () => {
  const rows = new StoredDeliveries();
  const deliveries = newDeliveries(0, rows);
  deliveries.add([event(1, "a"), event(2, "a")], 2, 0);
  fail(deliveries, deliveries.due(0, null), { now: 0, inMs: 600_000 });
  rows.isBroken = true;
  expect(() => deliveries.due(0, null)).toThrow("broken");
  expect(deliveries.cursor).toBe(1);
  rows.isBroken = false;
  expect([deliveries.due(0, null), deliveries.cursor]).toEqual([null, 2]);
});

test("A webhook replay reads no more events until its current events are sent or stored", () => {
  const rows = new StoredDeliveries();
  const deliveries = newDeliveries(10, rows);
  deliveries.addReplay([event(3)], 0);
  const taken = deliveries.due(0, null);
  rows.isBroken = true;
  if (taken !== null) deliveries.skip(taken, 0);
  expect(deliveries.hasUnsentReplay).toBe(true);
  rows.isBroken = false;
  fail(deliveries, deliveries.due(5000, null), { now: 5000, inMs: 0 });
  expect(deliveries.hasUnsentReplay).toBe(false);
});

test("A webhook probe skips events that wait for an earlier event of their contact", () => {
  const deliveries = newDeliveries();
  deliveries.add([event(1, "a"), event(2, "a"), event(3, "a"), event(4, "b")], 4, 0);
  fail(deliveries, deliveries.due(0, null), { now: 0, inMs: 0, isProbe: true });
  const probed = [10, 20].map((now) => {
    const probe = deliveries.dueProbe(now);
    fail(deliveries, probe, { now, inMs: 0, isProbe: true });
    return sequencesOf(probe);
  });
  expect(probed).toEqual([[4], [1]]);
  expect(sequencesOf(deliveries.dueProbe(MAX_DELAY_MS))).toEqual([2]);
});

test("Waiting events are not sent if their types were removed from the webhook, and reading continues after them", () => {
  const deliveries = newDeliveries();
  deliveries.add([event(1), { ...event(2), type: "tag.created" }, event(3)], 3, 0);
  deliveries.keepTypes(["tag.created"]);
  const [only, ...others] = takeAll(deliveries, 0);
  expect([sequencesOf(only), others]).toEqual([[2], []]);
  succeed(deliveries, only);
  expect(deliveries.doneThrough).toBe(3);
});

test("If a webhook delivery is split, the remaining events are sent only after the first part", () => {
  const rows = new StoredDeliveries();
  const deliveries = newDeliveries(0, rows);
  deliveries.add([event(1, "a"), event(2, "a"), event(3)], 3, 0);
  const delivery = deliveries.due(0, { maxEvents: 3, maxWaitMs: 0 });
  if (delivery === null) throw new Error("Nothing was taken.");
  const head = deliveries.split(delivery, 2, 5);
  expect(rows.loadPending().map(sequencesOf)).toEqual([[1], [2, 3]]);
  expect([sequencesOf(head), deliveries.doneThrough, deliveries.due(5, null)]).toEqual([[1], 0, null]);
  succeed(deliveries, head);
  expect(sequencesOf(deliveries.due(5, null))).toEqual([2, 3]);
});

test("A webhook probe sends a new event, or if there is none, the delivery that was tried longest ago", () => {
  const deliveries = newDeliveries();
  deliveries.add([event(1), event(2)], 2, 0);
  for (const now of [10, 20]) fail(deliveries, deliveries.dueProbe(now), { now, inMs: 0, isProbe: true });
  expect(sequencesOf(deliveries.dueProbe(30))).toEqual([1]);
});

test("A webhook stops reading events while the maximum number of unsent events is stored", () => {
  const rows = new StoredDeliveries();
  for (let sequence = 1; sequence <= MAX_PARKED; sequence++) {
    const events = [event(sequence)];
    const delivery = { id: deliveryId(events), events, tries: 1, firstFailedAt: 0, lastAttemptAt: 0 };
    rows.putPending({ ...delivery, dueAt: 1, isReplay: false });
  }
  const deliveries = newDeliveries(MAX_PARKED, rows);
  expect(deliveries.isFull).toBe(true);
  succeed(deliveries, deliveries.due(1, null));
  expect(deliveries.isFull).toBe(false);
});

test("makeDue makes all waiting webhook deliveries due, in order, and keeps their number of attempts", () => {
  const deliveries = newDeliveries();
  deliveries.add([event(1, "a"), event(2, "b"), event(3, "a")], 3, 0);
  for (const each of takeAll(deliveries, 0)) fail(deliveries, each, { now: 0, inMs: 9_000_000 });
  expect(takeAll(deliveries, 1)).toEqual([]);
  deliveries.makeDue(1000);
  expect(deliveries.nextAt(1000, null)).toBe(1000);
  const taken = takeAll(deliveries, 1000);
  expect(taken.map((each) => [sequencesOf(each), each.tries])).toEqual([
    [[1], 1],
    [[2], 1],
  ]);
  for (const each of taken) succeed(deliveries, each);
  expect(takeAll(deliveries, 1000).map(sequencesOf)).toEqual([[3]]);
});

test("A replay does not move the cursor of the webhook", () => {
  const deliveries = newDeliveries(10);
  deliveries.addReplay([event(3), event(4)], 0);
  const [first] = takeAll(deliveries, 0);
  expect([deliveries.cursor, deliveries.doneThrough, deliveries.hasUnsentReplay]).toEqual([10, 10, true]);
  fail(deliveries, first, { now: 0, inMs: 50 });
  expect(deliveries.doneThrough).toBe(10);
});

const noStep = { fails: 0, isCrash: false, isBroken: false, inMs: 0 };
const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map((value) => value === 1);

test("Despite failures and crashes, every webhook event is sent, and a failed event keeps its place in the order for five minutes", () => {
  const step = fc.record({
    fails: fc.integer({ min: 0, max: 3 }),
    isCrash: oneIn(40),
    isBroken: oneIn(10),
    inMs: fc.integer({ min: 0, max: 1000 }),
  });
  const steps = fc.array(step, { minLength: 20, maxLength: 200 });
  const keys = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 60 });
  const batches = fc.option(fc.record({ maxEvents: fc.integer({ min: 1, max: 5 }), maxWaitMs: fc.constant(100) }));
  fc.assert(
    fc.property(keys, steps, batches, fc.boolean(), (list, turns, batch, mayBreak) => {
      const log = list.map((key, index) => event(index + 1, `k${key}`));
      const rows = new StoredDeliveries();
      let cursor = 0;
      let deliveries = newDeliveries(cursor, rows);
      let now = 0;
      const arrived: WantedEvent[] = [];
      const tries = new Map<string, number>();
      let failuresInRow = 0;
      const attempt = (delivery: Delivery, fails: number) => {
        const count = tries.get(delivery.id) ?? 0;
        // After two failures, the third attempt is still within five minutes.
        const hasFailed = fails === 0 && count < 2;
        failuresInRow = hasFailed ? failuresInRow + 1 : 0;
        if (hasFailed) {
          tries.set(delivery.id, count + 1);
          fail(deliveries, delivery, { now, inMs: 5000, isProbe: true });
        } else {
          arrived.push(...delivery.events);
          succeed(deliveries, delivery);
        }
      };
      for (let turn = 0; turn < 5000 && new Set(arrived.map(({ id }) => id)).size < log.length; turn++) {
        const { fails, isCrash, isBroken, inMs } = turns[turn % turns.length] ?? noStep;
        rows.isBroken = mayBreak && isBroken;
        now += inMs;
        const page = log.slice(deliveries.end, deliveries.end + 10);
        if (page.length > 0) deliveries.add(page, deliveries.end + page.length, now);
        let delivery: Delivery | null = null;
        try {
          if (failuresInRow < 3) delivery = deliveries.due(now, batch);
          else if (deliveries.inFlightCount === 0) delivery = deliveries.dueProbe(now);
          if (delivery !== null) attempt(delivery, fails);
        } catch {
          if (delivery !== null) deliveries.skip(delivery, now);
        }
        if (delivery === null) now = Math.min(Math.max(now, deliveries.nextAt(now, batch)), now + 5000);
        if (!isCrash || turn % 7 > 0) cursor = turn % 3 === 0 ? deliveries.cursor : cursor;
        else deliveries = newDeliveries(cursor, rows);
      }
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(log.length);
      // If the row is missing, a crash loses the fact that the event has waited.
      if (mayBreak) return;
      for (const own of Map.groupBy(arrived, ({ key }) => key).values()) {
        const firsts = [...new Set(own.map(({ sequence }) => sequence))];
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 400 },
  );
});
