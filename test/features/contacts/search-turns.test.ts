import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { override } from "../../support/override.ts";
import { crowd } from "../../support/scans.ts";
import { costOf } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

/** A world whose databases report a second for every statement. */
function slowWorld(): World {
  const slow = (database: D1Database) =>
    override(database, {
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await database.batch(statements);
        return results.map((result) => ({ ...result, meta: { ...result.meta, duration: 1000 } }));
      },
    });
  const databases = { DB: slow(bindings.DB), DB_SHARD_1: slow(bindings.DB_SHARD_1) };
  return new World(databases);
}

const search = (customer: Customer, query: string) => customer.call("GET", `/contacts?search=${query}`);

async function withAda(world: World): Promise<Customer> {
  const customer = await world.customer();
  await customer.call("POST", "/contacts", { email: "ada@example.com", name: "Ada", source: "shop", tags: ["VIP"] });
  return customer;
}

describe("Turns of searches", () => {
  it("A contact search for a text alone needs no turn, even if an earlier search took long", async () => {
    const customer = await withAda(slowWorld());
    expect((await search(customer, "ada")).status).toBe(200);
    const others = await crowd(customer);
    const { status, body } = await search(customer, "ada");
    expect([status, body.contacts.length]).toEqual([200, 1]);
    await others.leave();
  });

  it("A contact search needs a turn only if it combines a text with a filter, because the database intersects two lists", async () => {
    const customer = await withAda(new World());
    const others = await crowd(customer);
    for (const query of ["ada", "", "&source=shop&tag=vip"])
      expect([query, (await search(customer, query)).status]).toEqual([query, 200]);
    for (const filter of ["source=shop", "tag=vip", "status=new", "archived=true"]) {
      const { status, headers } = await search(customer, `ada&${filter}`);
      expect([filter, status, headers.get("Retry-After")]).toEqual([filter, 429, "5"]);
    }
    await others.leave();
    const found = await search(customer, "ada&source=shop&tag=vip");
    expect(found.body.contacts).toMatchObject([{ name: "Ada" }]);
    expect(costOf(found)["trips"]).toBe(1);
  });

  it("A workspace that searches very often needs turns only while another workspace is active", async () => {
    const world = new World();
    const [mine, theirs] = [await withAda(world), await withAda(world)];
    const searches = async (count: number) => {
      for (let n = 0; n < count; n++) expect((await search(mine, "ada")).status).toBe(200);
    };
    world.advance(1000);
    await searches(60);
    expect((await theirs.call("GET", "/me")).status).toBe(200);
    await searches(40);
    const others = await crowd(mine);
    expect((await search(mine, "ada")).status).toBe(429);
    expect((await search(theirs, "ada")).status).toBe(200);
    world.advance(1000);
    expect((await search(mine, "ada")).status).toBe(200);
    await others.leave();
  });
});
