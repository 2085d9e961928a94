import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { override } from "../../support/override.ts";
import { recordedWorld } from "../../support/recording.ts";
import { crowd } from "../../support/scans.ts";
import { costOf } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Searches", () => {
  /** A world whose databases report `searchMs` as the duration of each search. */
  function worldOf(searchMs: number): World {
    const slowly = (database: D1Database): D1Database =>
      override(database, {
        batch: async (statements: D1PreparedStatement[]) => {
          const results = await database.batch(statements);
          return results.map((result) => ({ ...result, meta: { ...result.meta, duration: searchMs } }));
        },
      });
    const databases = { DB: slowly(bindings.DB), DB_SHARD_1: slowly(bindings.DB_SHARD_1) };
    return new World(databases);
  }

  const search = (customer: Customer) => customer.call("GET", "/contacts?status=new&source=api&limit=1");

  it("While searches are fast, a contact search does not wait for other searches and costs one round trip", async () => {
    const { customer } = await customerWith(3, worldOf(2));
    await search(customer);
    const others = await crowd(customer);
    const answer = await search(customer);
    expect([answer.status, costOf(answer).trips, costOf(answer, "do").calls]).toEqual([200, 1, 1]);
    await others.leave();
  });

  it(
    "For a minute after a slow contact search, the searches of its workspace run one at a time",
    { tags: "long" },
    async () => {
      const world = worldOf(60);
      const { customer } = await customerWith(3, world);
      const { customer: other } = await customerWith(3, new World());
      expect((await search(customer)).status).toBe(200);
      const others = await crowd(customer);
      const refused = await search(customer);
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
      expect((await search(other)).status).toBe(200);
      await others.leave();
      const after = await search(customer);
      expect([after.status, costOf(after).trips]).toEqual([200, 1]);
      world.advance(60_001);
      const again = await crowd(customer);
      expect((await search(customer)).status).toBe(200);
      await again.leave();
    },
  );

  it("A contact search counts in short statements and reuses a recent total", { tags: "long" }, async () => {
    const { world, recording } = recordedWorld();
    const { customer } = await customerWith(30_000, world);
    const total = async (query: string) =>
      (await customer.call("GET", `/contacts?limit=1&include_total=true${query}`)).body.total;
    recording.take();
    expect(await total("&status=new")).toBe(30_000);
    const counting = recording.take().filter(({ sql }) => /SELECT count\(\*\) AS count/.test(sql));
    expect(counting.length).toBeGreaterThan(1);
    for (const { rowsRead } of counting) expect(rowsRead).toBeLessThanOrEqual(20_010);
    await customer.call("POST", "/contacts", { email: "new@example.com" });
    expect(await total("&status=new")).toBe(30_000);
    world.advance(5000);
    expect(await total("&status=new")).toBe(30_001);
    expect(await total("")).toBe(30_001);
    recording.take();
    const statements = async (query: string) => {
      const found = await total(query);
      return [found, recording.take().filter(({ sql }) => /SELECT count\(\*\) AS count/.test(sql)).length];
    };
    expect(await statements("&status=hot&source=fair")).toEqual([0, 1]);
    expect(await statements("&search=new@example.com")).toEqual([1, 1]);
    expect(await statements("&search=new@example.com&offset=1")).toEqual([1, 2]);
  });
});
