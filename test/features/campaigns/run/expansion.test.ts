import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addPeople, campaign, recipientsOf, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { failingWorld } from "../../../support/failing-parts.ts";
import { override } from "../../../support/override.ts";
import { Recording } from "../../../support/recorded-statements.ts";
import { holdTurn, turnsOf } from "../../../support/scans.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

const PEOPLE = 700;
const STATEMENT_MS = 10;
const EXPANDING = /INSERT INTO messages/;

/** Each statement reports that it took 10 ms. */
const slow = (database: D1Database): D1Database =>
  override(database, {
    batch: async (statements: D1PreparedStatement[]) =>
      (await database.batch(statements)).map((result) => ({
        ...result,
        meta: { ...result.meta, duration: STATEMENT_MS },
      })),
  });

async function expectEachOnce(customer: Customer, id: string): Promise<void> {
  const contacts = (await recipientsOf(customer, id)).map(({ contact_id }) => contact_id);
  expect([contacts.length, new Set(contacts).size]).toEqual([PEOPLE, PEOPLE]);
  expect((await campaign(customer, id)).counts).toMatchObject({ pending: PEOPLE });
}

const recipientCount = async (customer: Customer) =>
  (await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId)).length;

describe("The expansion of a campaign", () => {
  it("Recipients are created in windows that become smaller if they take long, each with two statements", async () => {
    const recording = new Recording();
    const databases = { DB: slow(recording.of(bindings.DB)), DB_SHARD_1: slow(recording.of(bindings.DB_SHARD_1)) };
    const world = new World(databases);
    const customer = await world.customer();
    await addPeople(customer, PEOPLE);
    const id = await started(customer);
    recording.take();
    await world.queues.deliverDue(world.env);
    const trips = [...Map.groupBy(recording.take(), ({ trip }) => trip).values()];
    const windows = trips.filter((statements) => statements.some(({ sql }) => EXPANDING.test(sql)));
    expect(windows.map((statements) => statements.length)).toEqual([2, 2, 2, 2]);
    const written = windows.map((statements) => statements[0]?.rowsWritten ?? 0);
    expect(written.map((rows) => Math.round((rows * PEOPLE) / written.reduce((sum, each) => sum + each)))).toEqual([
      500, 100, 50, 50,
    ]);
    await expectEachOnce(customer, id);
  });

  it("The expansion waits for the workspace's turn", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, PEOPLE);
    const id = await started(customer);
    await holdTurn(customer);
    const expanding = world.queues.deliverDue(world.env);
    expect(await turnsOf(customer).renew("held")).toBe(true);
    expect(await recipientCount(customer)).toBe(0);
    await turnsOf(customer).end("held", null);
    await expanding;
    await expectEachOnce(customer, id);
  });

  it.each(["before", "after"] as const)(
    "If storage fails %s the second window, a repeated job creates each recipient once",
    async (when) => {
      const { world, database } = failingWorld(EXPANDING);
      const customer = await world.customer();
      await addPeople(customer, PEOPLE);
      const id = await started(customer);
      Object.assign(database, { parts: 0, failing: 2, when });
      await world.queues.deliverDue(world.env);
      expect(await recipientCount(customer)).toBe(when === "before" ? 500 : PEOPLE);
      world.advance(60_000);
      await world.queues.deliverDue(world.env, 2);
      await expectEachOnce(customer, id);
    },
  );
});
