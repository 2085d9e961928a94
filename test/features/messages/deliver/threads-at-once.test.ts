import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { recordedWorld } from "../../../support/recording.ts";
import { faultyWorld, steps } from "../../../support/storage.ts";
import { type Customer, phoneEnding, type World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const busy = { code: "provider_unreachable", message: "Busy.", providerCode: null } as const;

/** Three workspaces with four threads each. All messages are due in the queue at the same time. */
async function dueThreads(world: World): Promise<Customer[]> {
  const send = vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "retry", error: busy, afterMs: 60_000 });
  const customers = [await world.customer(), await world.customer(), await world.customer()];
  for (const customer of customers)
    for (let n = 0; n < 4; n++) expect((await customer.send(phoneEnding("1234"), `Hello ${n}`)).status).toBe(202);
  send.mockRestore();
  world.advance(120_000);
  return customers;
}

/** Expects that each thread's message was sent exactly once. */
async function expectEachSentOnce(customers: Customer[]): Promise<void> {
  for (const customer of customers) {
    const bodies = (await customer.outbox()).map(({ body }) => String(body));
    expect(bodies.toSorted((a, b) => a.localeCompare(b))).toEqual(["Hello 0", "Hello 1", "Hello 2", "Hello 3"]);
  }
}

describe("Concurrent threads", () => {
  it(
    "Threads that are delivered concurrently share round trips to each shard, and each message is sent once",
    { tags: "long" },
    async () => {
      const { world, recording } = recordedWorld();
      const customers = await dueThreads(world);
      recording.take();
      expect(await world.queues.deliverDue(world.env)).toBe(12);
      const claims = recording.take().filter(({ sql }) => steps.claim.test(sql));
      // Each thread makes two claims: one for its message, and one that finds no further message.
      expect(claims).toHaveLength(24);
      const trips = Map.groupBy(claims, ({ trip }) => trip);
      expect(trips.size).toBeLessThan(24);
      const shards = new Set(claims.map(({ database }) => database)).size;
      expect(Math.max(...[...trips.values()].map(({ length }) => length))).toBeGreaterThanOrEqual(6 / shards);
      await expectEachSentOnce(customers);
    },
  );

  it.each(["before", "after"] as const)(
    "If threads are delivered concurrently and a shared round trip fails %s the commit, each message is sent once",
    async (when) => {
      const { world, faults } = faultyWorld();
      const customers = await dueThreads(world);
      faults.next(steps.claim, when);
      faults.next(steps.settle, when);
      await world.queues.deliverDue(world.env);
      expect(faults.spent).toBe(true);
      await expectEachSentOnce(customers);
      await world.settle();
      await expectEachSentOnce(customers);
    },
  );
});
