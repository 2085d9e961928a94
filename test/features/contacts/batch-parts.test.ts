import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { TURN_MS } from "../../../src/features/scans/scans.turn-queue.ts";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { failingWorld } from "../../support/failing-parts.ts";
import { override } from "../../support/override.ts";
import { recordedWorld } from "../../support/recording.ts";
import { crowd, holdTurn, turnsOf } from "../../support/scans.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `c${index}@example.com`, name: `C ${index}` }));

const store = (customer: Customer, contacts: object[], key?: string): Promise<Answer> =>
  customer.call(
    "POST",
    "/contacts/batch",
    { contacts },
    key === undefined ? {} : { headers: { "Idempotency-Key": key } },
  );

const storedCount = async (customer: Customer): Promise<number> =>
  (await customer.call("GET", "/contacts?include_total=true&limit=1")).body.total;

const STORING = /INSERT INTO contacts/;

describe("Parts of a batch of contacts", () => {
  it("A batch of 500 contacts is stored in parts, each with at most fifty statements", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    recording.take();
    const { body } = await store(customer, people(500));
    expect(body.counts).toEqual({ created: 500, updated: 0, unchanged: 0, failed: 0 });
    expect(body.results.map(({ index }: { index: number }) => index)).toEqual([...Array(500).keys()]);
    const trips = Map.groupBy(recording.take(), ({ trip }) => trip);
    const storing = [...trips.values()].filter((statements) => statements.some(({ sql }) => STORING.test(sql)));
    expect(storing).toHaveLength(Math.ceil(500 / CONTACTS_PER_PART));
    for (const statements of storing) expect(statements.length).toBeLessThanOrEqual(50);
  });

  it("A row of a batch matches a contact that an earlier part created", async () => {
    const customer = await new World().customer();
    const contacts = [...people(30), { email: "c0@example.com", company: "Acme" }, { name: "Nobody" }];
    const { results, counts } = (await store(customer, contacts)).body;
    expect(counts).toEqual({ created: 30, updated: 1, unchanged: 0, failed: 1 });
    expect(results[30]).toMatchObject({ index: 30, status: "updated", contact_id: results[0].contact_id });
    expect(results[31]).toMatchObject({ index: 31, status: "failed" });
  });

  it("A repeated batch returns the first response after one query, without waiting for the workspace's turn, and stores nothing", async () => {
    const customer = await new World().customer();
    const first = await store(customer, people(50), "one");
    await holdTurn(customer);
    const again = await store(customer, people(50), "one");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(costOf(again)).toMatchObject({ trips: 1, rows_written: 0 });
    const replayed = [first, again].map(({ headers }) => headers.get("Idempotent-Replayed"));
    expect(replayed).toEqual([null, "true"]);
    const other = await store(customer, people(49), "one");
    expect([other.status, other.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    expect(await storedCount(customer)).toBe(50);
  });

  it("A batch that a repeat completes hours later is replayed until a day after its completion, and then processed as new", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    Object.assign(database, { failing: 2 });
    expect((await store(customer, people(50), "one")).status).toBe(503);
    world.advance(20 * HOUR_MS);
    const completed = await store(customer, people(50), "one");
    world.advance(23 * HOUR_MS);
    const again = await store(customer, people(50), "one");
    expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([completed.body, "true"]);
    const other = await store(customer, people(49), "one");
    expect([other.status, other.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    world.advance(2 * HOUR_MS);
    const later = await store(customer, people(50), "one");
    expect([later.body.counts.updated, later.headers.get("Idempotent-Replayed")]).toEqual([50, null]);
  });

  it("If a repeat completes a batch hours later, the first part of the batch expires with the last one", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    Object.assign(database, { failing: 2 });
    expect((await store(customer, people(50), "one")).status).toBe(503);
    world.advance(20 * HOUR_MS);
    expect((await store(customer, people(50), "one")).status).toBe(200);
    world.advance(23 * HOUR_MS);
    const part = await store(customer, people(CONTACTS_PER_PART), "one");
    expect([part.status, part.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    world.advance(2 * HOUR_MS);
    expect((await store(customer, people(CONTACTS_PER_PART), "one")).body.counts.updated).toBe(CONTACTS_PER_PART);
  });

  it("Repeats a moment before and after the 24 hours of an interrupted batch store each part once", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    Object.assign(database, { failing: 2 });
    expect((await store(customer, people(50), "one")).status).toBe(503);
    Object.assign(database, { failing: 0, parts: 0 });
    const end = Date.now() + 24 * HOUR_MS;
    world.setTime(end - 1);
    await holdTurn(customer);
    const before = store(customer, people(50), "one");
    // Waits until the repeat has read the stored part. `vi.waitUntil` would move the clock.
    const renewed = "SELECT key FROM idempotency WHERE actor = ? AND created_at = ?";
    const isRenewed = async () => (await onShard(customer, renewed, customer.keyId, end - 1)).length === 1;
    for (let tries = 0; tries < 1000 && !(await isRenewed()); tries++);
    expect(await isRenewed()).toBe(true);
    world.setTime(end + 1);
    const after = store(customer, people(50), "one");
    await turnsOf(customer).end("held", null);
    const answers = await Promise.all([before, after]);
    expect(answers.map(({ body }) => body.counts.created)).toEqual([50, 50]);
    expect(await storedCount(customer)).toBe(50);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  it("An Idempotency-Key that is used again after a day does not return parts of the earlier batch", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    expect((await store(customer, people(50), "one")).status).toBe(200);
    world.advance(25 * HOUR_MS);
    Object.assign(database, { parts: 0, failing: 2 });
    expect((await store(customer, people(50), "one")).status).toBe(503);
    const { body, headers } = await store(customer, people(50), "one");
    expect([body.counts.updated, headers.get("Idempotent-Replayed")]).toEqual([50, null]);
  });

  it("Concurrent batches with the same Idempotency-Key store each contact once, and receive the same response", async () => {
    const customer = await new World().customer();
    const answers = await Promise.all([1, 2, 3].map(() => store(customer, people(50), "one")));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(answers[0]?.body.counts.created).toBe(50);
    const revisions = await onShard(
      customer,
      "SELECT DISTINCT revision FROM contacts WHERE workspace_id = ?",
      customer.workspaceId,
    );
    expect(revisions).toEqual([{ revision: 1 }]);
  });

  it.each(["before", "after"] as const)(
    "If storage fails %s the third part of a contact batch, a repeat completes the batch and stores no contact twice",
    async (when) => {
      const { world, database } = failingWorld(STORING);
      const customer = await world.customer();
      Object.assign(database, { failing: 3, when });
      const interrupted = await store(customer, people(100), "one");
      expect([interrupted.status, interrupted.body.error.code]).toEqual([503, "unavailable"]);
      expect(await storedCount(customer)).toBe((when === "before" ? 2 : 3) * CONTACTS_PER_PART);
      const { body, headers } = await store(customer, people(100), "one");
      expect(body.counts).toEqual({ created: 100, updated: 0, unchanged: 0, failed: 0 });
      expect(headers.get("Idempotent-Replayed")).toBeNull();
      expect(await storedCount(customer)).toBe(100);
      expect((await store(customer, people(100), "one")).body).toEqual(body);
    },
  );

  it("If an earlier version stored one response for a whole contact batch, a repeat returns this response", async () => {
    const customer = await new World().customer();
    const { body } = await store(customer, people(50), "one");
    const { success: _, ...whole } = body;
    await onShard(customer, "DELETE FROM idempotency WHERE actor = ? AND key <> 'one'", customer.keyId);
    await onShard(customer, "UPDATE idempotency SET result = ? WHERE actor = ?", JSON.stringify(whole), customer.keyId);
    const again = await store(customer, people(50), "one");
    expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([body, "true"]);
  });
});

describe("Turns of batches", () => {
  it("A batch of contacts waits until the workspace's turn is free; a batch that fits into one part needs no turn", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    await holdTurn(customer);
    expect((await store(customer, people(CONTACTS_PER_PART))).status).toBe(200);
    database.parts = 0;
    const waiting = store(customer, people(50));
    expect(await turnsOf(customer).renew("held")).toBe(true);
    expect(database.parts).toBe(0);
    await turnsOf(customer).end("held", null);
    expect((await waiting).body.counts).toMatchObject({ created: 50 - CONTACTS_PER_PART, updated: CONTACTS_PER_PART });
  });

  it("A batch of contacts that waits too long is rejected with Retry-After, stores nothing, and leaves its Idempotency-Key free", async () => {
    const customer = await new World().customer();
    const others = await crowd(customer);
    const { status, body, headers } = await store(customer, people(50), "one");
    expect([status, body.error.code, headers.get("Retry-After")]).toEqual([429, "rate_limited", "5"]);
    expect(await storedCount(customer)).toBe(0);
    await others.leave();
    expect((await store(customer, people(50), "one")).body.counts.created).toBe(50);
  });

  it("A batch of contacts does not wait for other workspaces or for every waiting request of another API key", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const others = await crowd(mine, "a greedy key");
    expect((await store(theirs, people(50))).status).toBe(200);
    const waiting = store(mine, people(50));
    await others.leave();
    expect((await waiting).status).toBe(200);
  });

  it("If a batch of contacts has lost its turn to another request, it stops, and a repeat completes it", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    database.afterPart = async () => {
      database.afterPart = () => Promise.resolve();
      world.advance(TURN_MS);
      await turnsOf(customer).take({ id: "next", owner: "somebody", waitMs: 1000, question: null });
    };
    const stopped = await store(customer, people(50), "one");
    expect([stopped.status, stopped.body.error.code]).toEqual([503, "unavailable"]);
    await turnsOf(customer).end("next", null);
    expect((await store(customer, people(50), "one")).body.counts.created).toBe(50);
    expect(await storedCount(customer)).toBe(50);
  });

  it("A batch of contacts stops after 25 seconds on slow storage, and a repeat with its Idempotency-Key completes it", async () => {
    const { world, database } = failingWorld(STORING);
    const customer = await world.customer();
    database.partMs = 10_000;
    const stopped = await store(customer, people(100), "one");
    expect([stopped.status, stopped.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(stopped.body.error.message).toBe(
      "The request was cancelled after 45 of 100 contacts. Repeat it with the same Idempotency-Key to store the others.",
    );
    const keyless = await store(await world.customer(), people(100));
    expect(keyless.body.error.message).toBe(
      "The request was cancelled after 45 of 100 contacts. Send only the others again.",
    );
    database.partMs = 0;
    expect((await store(customer, people(100), "one")).body.counts.created).toBe(100);
  });

  it("A batch of contacts returns 503 if the Durable Object that grants turns is unreachable", async () => {
    const unreachable = override(bindings.SCAN_TURNS, {
      getByName: () => ({ take: () => Promise.reject(new Error("The object is gone.")) }),
    });
    const customer = await new World({ SCAN_TURNS: unreachable }).customer();
    const { status, headers } = await store(customer, people(50));
    expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
  });
});
