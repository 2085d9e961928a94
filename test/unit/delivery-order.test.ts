import { expect, test } from "vitest";
import { deliveryId } from "../../src/features/webhooks/webhooks.deliveries.ts";
import { newDeliveries, readEvent as event, sequencesOf, succeed, takeAll } from "../support/stored-deliveries.ts";

test("The id of a webhook batch depends only on its events, and a batch of one event has the event's id", () => {
  expect(deliveryId([event(7)])).toBe("dlv_000007");
  const batches = [
    [7, 9],
    [7, 8],
    [7, 8, 9],
    [7, 89],
    [7, 9],
  ];
  const ids = batches.map((sequences) => deliveryId(sequences.map((each) => event(each))));
  expect(ids[0]).toMatch(/^dlv_000007n[0-9a-z]{13}$/);
  expect(ids[4]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(4);
});

test("A webhook batch that reaches the maximum size is sent immediately, and a larger event is sent alone", () => {
  const deliveries = newDeliveries();
  const batch = { maxEvents: 100, maxWaitMs: 1000 };
  const sizes = [2_000_000, 600_000, 400_000, 100_000, 1000];
  deliveries.add(
    sizes.map((bytes, index) => event(index + 1, `ct_${index + 1}`, bytes)),
    5,
    0,
  );
  const take = (now: number) => sequencesOf(deliveries.due(now, batch));
  expect([take(0), take(0), take(0), take(1000)]).toEqual([[1], [2, 3], [], [4, 5]]);
});

test("A webhook batch waits until it is full, or until its first event has waited for the maximum time", () => {
  const deliveries = newDeliveries();
  const batch = { maxEvents: 3, maxWaitMs: 1000 };
  deliveries.add([event(1), event(2, "ct_1")], 2, 0);
  expect(deliveries.due(0, batch)).toBeNull();
  expect(deliveries.nextAt(0, batch)).toBe(1000);
  deliveries.add([event(3), event(4)], 4, 500);
  expect(sequencesOf(deliveries.due(500, batch))).toEqual([1, 2, 3]);
  expect(deliveries.due(500, batch)).toBeNull();
  expect(sequencesOf(deliveries.due(1500, batch))).toEqual([4]);
});

test("While a webhook request runs, only events that do not wait for it schedule another check", () => {
  const alone = newDeliveries();
  alone.add([event(1, "a"), event(2, "a")], 2, 0);
  const [first] = takeAll(alone, 0);
  expect(alone.nextAt(0, null)).toBe(Infinity);
  succeed(alone, first);
  expect(alone.nextAt(0, null)).toBe(0);

  const batch = { maxEvents: 2, maxWaitMs: 1000 };
  const batched = newDeliveries();
  batched.add([event(1, "a"), event(2, "b")], 2, 0);
  batched.due(0, batch);
  batched.add([event(3, "a"), event(4, "b")], 4, 10);
  expect(batched.nextAt(10, batch)).toBe(Infinity);
  batched.add([event(5, "c")], 5, 20);
  expect(batched.due(20, batch)).toBeNull();
  expect(batched.nextAt(20, batch)).toBe(1020);
  expect(sequencesOf(batched.due(1020, batch))).toEqual([5]);
});
