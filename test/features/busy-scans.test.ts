import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/alarms.ts";
import { campaign, campaignOf, customerWith, started } from "../support/campaigns.ts";
import { override } from "../support/override.ts";
import { recordedWorld } from "../support/recording.ts";
import { all, saved } from "../support/segment-world.ts";
import { costOf } from "../support/storage.ts";
import { count, crowd, turnsOf } from "../support/turns.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

const everybody = all({ field: "status", op: "eq", value: "new" });

describe("where others of the workspace take too long", () => {
  it("counts, previews, starts and long searches are refused with a time to wait, and nothing is started", async () => {
    const { customer } = await customerWith(2100);
    const id = await saved(customer, all({ field: "status", op: "eq", value: "hot" }));
    const order = await campaignOf(customer);
    const others = await crowd(customer);
    for (const [method, path, body] of [
      ["GET", `/segments/${id}/count`],
      ["GET", `/segments/${id}/contacts`],
      ["POST", "/campaigns/preview", order],
      ["POST", "/campaigns", order],
    ] as const) {
      const answer = await customer.call(method, path, body);
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 429, "rate_limited"]);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    }
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toEqual([]);
    // What one short statement answers needs no turn.
    expect((await customer.call("GET", "/contacts?status=new&limit=1")).body.contacts).toHaveLength(1);
    await others.leave();
    expect((await count(customer, id)).body).toMatchObject({ count: 0 });
  });

  it("other keys and other workspaces get their turns", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const others = await crowd(mine, "a greedy key");
    expect((await count(theirs, await saved(theirs, everybody))).status).toBe(200);
    const asked = count(mine, await saved(mine, everybody));
    await others.leave();
    expect((await asked).status).toBe(200);
  });

  it("the console shows its pages without the numbers", async () => {
    const { customer } = await customerWith(5);
    const member = await customer.member("admin");
    const id = await saved(customer, everybody);
    const others = await crowd(customer, member.userId);
    const at = `/console/${customer.workspaceId}`;
    const segment = await member.get(`${at}/segments/${id}`);
    expect([segment.status, segment.body.includes("Person 4")]).toEqual([200, true]);
    expect((await member.get(`${at}/segments/${id}/edit`)).body).toContain("Other counts of this workspace");
    expect((await member.get(`${at}/overview`)).body).toContain("Other counts of this workspace");
    const file = await member.get(`${at}/contacts/export/part`);
    expect(file.status).toBe(429);
    await others.leave();
    expect((await member.get(`${at}/segments/${id}`)).body).toContain("5 contacts");
  });

  it("a scheduled campaign starts later", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer, { scheduled_at: new Date(Date.now() + 60_000).toISOString() });
    const others = await crowd(customer, "system");
    world.advance(60_000);
    await turnsOf(customer).renew("held");
    await world.queues.deliverDue(world.env);
    await world.alarms.ringDue();
    await world.queues.deliverDue(world.env);
    expect(await campaign(customer, id)).toMatchObject({ status: "scheduled" });
    await others.leave();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", recipient_count: 3 });
  });
});

describe("a search", () => {
  /** A world whose databases say of each search that it took them so long. */
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

  it("takes no turn where searches are quick, and costs one trip", async () => {
    const { customer } = await customerWith(3, worldOf(2));
    await search(customer);
    const others = await crowd(customer);
    const answer = await search(customer);
    expect([answer.status, costOf(answer).trips, costOf(answer, "do").calls]).toEqual([200, 1, 1]);
    await others.leave();
  });

  it("runs one at a time for a minute where one held the database for long; elsewhere it does not", async () => {
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
  });

  it("tells the total of very many contacts in several short statements, and within seconds the same again", async () => {
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
    expect(await total("&status=hot&source=fair")).toBe(0);
  }, 60_000);
});
