import { beforeEach, describe, expect, it } from "vitest";
import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { failingWorld } from "../../support/failing-parts.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `c${index}@example.com` }));

const store = (customer: Customer, contacts: object[], key: string): Promise<Answer> =>
  customer.call("POST", "/contacts/batch", { contacts }, { headers: { "Idempotency-Key": key } });

const STORING = /INSERT INTO contacts/;

describe("Batches whose stored parts have another size", () => {
  it("If an earlier version with larger parts was interrupted, a repeat completes the batch, and all its parts expire together", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    Object.assign(database, { failing: 3 });
    expect((await store(customer, people(100), "one")).status).toBe(503);
    const select = "SELECT result FROM idempotency WHERE actor = ? ORDER BY length(key)";
    const parts = await onShard(customer, select, customer.keyId);
    const rows = parts.flatMap(({ result }) => JSON.parse(String(result)).part);
    const larger = CONTACTS_PER_PART + 5;
    const update = "UPDATE idempotency SET key = ?, result = ? WHERE actor = ? AND key = ?";
    const change = (from: string, to: string, part: unknown[]) =>
      onShard(customer, update, to, JSON.stringify({ part }), customer.keyId, from);
    await change(`one\n${CONTACTS_PER_PART}`, `one\n${larger}`, rows.slice(larger));
    await change("one", "one", rows.slice(0, larger));
    world.advance(20 * HOUR_MS);
    const completed = await store(customer, people(100), "one");
    expect(completed.body.counts).toEqual({ created: 100, updated: 0, unchanged: 0, failed: 0 });
    world.advance(5 * HOUR_MS);
    const again = await store(customer, people(100), "one");
    expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([completed.body, "true"]);
  });

  it("If a version with smaller parts was interrupted, a repeat stores the rest of a batch that now fits into one part", async () => {
    const customer = await new World().customer();
    const { results } = (await store(customer, people(10), "one")).body;
    const update = "UPDATE idempotency SET result = ? WHERE actor = ?";
    await onShard(customer, update, JSON.stringify({ part: results.slice(0, 4) }), customer.keyId);
    const { body, headers } = await store(customer, people(10), "one");
    expect(body.counts).toEqual({ created: 4, updated: 6, unchanged: 0, failed: 0 });
    expect(headers.get("Idempotent-Replayed")).toBeNull();
    const again = await store(customer, people(10), "one");
    expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([body, "true"]);
  });
});
