import { expect, test } from "vitest";
import { Backlog } from "../../src/features/webhooks/webhooks.backlog.ts";
import { type Delivery, deliveryId } from "../../src/features/webhooks/webhooks.deliveries.ts";

const event = (sequence: number, bytes = 1000) => ({
  id: `evt_${String(sequence).padStart(6, "0")}`,
  sequence,
  type: "contact.updated",
  key: `ct_${sequence}`,
  bytes,
});
const sequencesOf = (delivery: Delivery | null) => delivery?.events.map(({ sequence }) => sequence) ?? [];

test("A batch has the id of just its events, and one event has that of itself", () => {
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

test("A batch is full with so many bytes, waits no longer then, and holds one event at least", () => {
  const backlog = new Backlog(0, []);
  const batch = { maxEvents: 100, maxWaitMs: 1000 };
  const sizes = [2_000_000, 600_000, 400_000, 100_000, 1000];
  backlog.add(
    sizes.map((bytes, index) => event(index + 1, bytes)),
    5,
    0,
  );
  const take = (now: number) => sequencesOf(backlog.take(now, batch).delivery);
  expect([take(0), take(0), take(0), take(1000)]).toEqual([[1], [2, 3], [], [4, 5]]);
});
