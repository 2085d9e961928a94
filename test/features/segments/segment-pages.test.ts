import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { override } from "../../support/override.ts";
import { crowd } from "../../support/scans.ts";
import { all, saved } from "../../support/segment-world.ts";
import { costOf } from "../../support/storage.ts";
import { skipWaits } from "../../support/waits.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Matches all contacts that `addPeople` creates. */
const everybody = all({ field: "status", op: "eq", value: "new" });
const nobody = all({ field: "status", op: "eq", value: "hot" });
const page = (customer: Customer, id: string, limit = 20) =>
  customer.call("GET", `/segments/${id}/contacts?limit=${limit}`);

/** The estimate of `ReadShares`. */
const ROWS_PER_MS = 500;

/** The work of databases that report `ms` as the duration of every batch. */
interface Load {
  ms: number;
  batches: number;
  atOnce: number;
  mostAtOnce: number;
}

/** A read of a page is a batch of two statements, which take half of the duration each. */
function loadedWorld(ms: number): { world: World; load: Load } {
  const load: Load = { ms, batches: 0, atOnce: 0, mostAtOnce: 0 };
  const slowly = (database: D1Database): D1Database =>
    override(database, {
      batch: async (statements: D1PreparedStatement[]) => {
        load.batches++;
        load.mostAtOnce = Math.max(load.mostAtOnce, ++load.atOnce);
        const results = await database.batch(statements);
        load.atOnce--;
        const duration = load.ms / statements.length;
        const meta = { duration, rows_read: duration * ROWS_PER_MS };
        return results.map((result) => ({ ...result, meta: { ...result.meta, ...meta } }));
      },
    });
  const databases = { DB: slowly(bindings.DB), DB_SHARD_1: slowly(bindings.DB_SHARD_1) };
  return { world: new World(databases), load };
}

describe("Segment pages", () => {
  it("A segment page does not wait for a turn if the workspace reads little, and a cached segment costs one round trip", async () => {
    const { customer } = await customerWith(30, loadedWorld(1).world);
    const id = await saved(customer, everybody);
    const others = await crowd(customer);
    for (let n = 0; n < 10; n++) {
      const answer = await page(customer, id);
      expect([answer.status, answer.body.contacts.length]).toEqual([200, 20]);
      expect([costOf(answer).trips, costOf(answer, "do").calls]).toEqual([n === 0 ? 2 : 1, 1]);
    }
    await others.leave();
  });

  it(
    "A segment page waits for a turn if the workspace has used its share of the database",
    { tags: "long" },
    async () => {
      const { world } = loadedWorld(120);
      const { customer } = await customerWith(30, world);
      const { customer: other } = await customerWith(30, world);
      const [id, theirs] = [await saved(customer, everybody), await saved(other, everybody)];
      expect((await page(customer, id)).status).toBe(200);

      const others = await crowd(customer);
      const refused = await page(customer, id);
      expect([refused.status, refused.body.error.code, refused.headers.get("Retry-After")]).toEqual([
        429,
        "rate_limited",
        "5",
      ]);
      expect((await page(other, theirs)).status).toBe(200);
      await others.leave();

      const inTurn = await page(customer, id);
      expect([inTurn.status, inTurn.body.contacts.length]).toEqual([200, 20]);
      expect([costOf(inTurn).trips, costOf(inTurn, "do").calls]).toEqual([1, 3]);
      world.advance(10_000);
      const again = await crowd(customer);
      expect((await page(customer, id)).status).toBe(200);
      await again.leave();
    },
  );

  it("A segment page that has to read further contacts reads them in the same turn", async () => {
    const { world, load } = loadedWorld(120);
    const { customer } = await customerWith(2500, world);
    const id = await saved(customer, nobody);
    await page(customer, await saved(customer, everybody));
    skipWaits();
    load.ms = 2;
    const answer = await page(customer, id);
    expect(answer.body).toMatchObject({ contacts: [], next_cursor: null });
    // One call counts the key; the others start, confirm and end a turn. The end can follow the response.
    expect(costOf(answer, "do").calls).toBeLessThanOrEqual(4);
  });

  it("A page of another workspace's segment returns 404, even if a turn is required", async () => {
    const { world } = loadedWorld(120);
    const [{ customer: mine }, { customer: theirs }] = [await customerWith(3, world), await customerWith(3, world)];
    expect((await page(mine, await saved(mine, everybody))).status).toBe(200);
    expect((await page(mine, await saved(theirs, everybody))).status).toBe(404);
  });
});

describe("Concurrent pages", () => {
  it(
    "While another workspace also uses the database, ten concurrent pages of a segment are read one after the other in a quarter of the time, and are all correct",
    { tags: "long" },
    async () => {
      const { world, load } = loadedWorld(120);
      const { customer } = await customerWith(150, world);
      const other = await world.customer();
      const id = await saved(customer, everybody);
      await page(customer, id, 100);
      skipWaits();
      Object.assign(load, { ms: 5, batches: 0, mostAtOnce: 0 });
      const start = Date.now();
      for (let round = 0; round < 5; round++) {
        await other.call("GET", "/me");
        const answers = await Promise.all(Array.from({ length: 10 }, () => page(customer, id, 100)));
        expect(answers.map(({ status, body }) => [status, body.contacts.length])).toEqual(
          Array.from({ length: 10 }, () => [200, 100]),
        );
      }
      expect(load.batches).toBe(50);
      expect(load.mostAtOnce).toBe(1);
      expect(Date.now() - start).toBeGreaterThanOrEqual(4 * 50 * load.ms);
    },
  );
});
