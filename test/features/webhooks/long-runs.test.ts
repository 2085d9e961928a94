import { expect, test } from "vitest";
import { hookUp, startReceiving, tellOf } from "../../support/receiver.ts";

test(
  "After 2,000 sends, a run of a webhook's sender ends, and the next run sends the remaining events",
  { tags: "long" },
  async () => {
    const { world, customer, receiver } = await startReceiving();
    await hookUp(customer, receiver);
    await tellOf(
      customer,
      Array.from({ length: 2010 }, (_, number) => `ct_${number}`),
    );
    await world.alarms.ringDue();
    expect(receiver.received).toHaveLength(2000);
    await world.settle();
    const ids = receiver.received.map(({ body }) => body.object_id);
    expect([ids.length, new Set(ids).size]).toEqual([2010, 2010]);
  },
);
