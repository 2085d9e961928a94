import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

beforeEach(stopClock);

interface Row {
  tags?: number[];
  custom_fields?: object;
  folded?: object;
}

/** The stored rows of a workspace. */
class Store {
  private constructor(
    readonly customer: Customer,
    private readonly db: D1Database,
    private readonly base: number,
  ) {}

  static async open(): Promise<Store> {
    const customer = await world.customer();
    const workspace = await env.DB.prepare("SELECT number, shard FROM workspaces WHERE id = ?")
      .bind(customer.workspaceId)
      .first<{ number: number; shard: number }>();
    if (workspace === null) throw new Error("No such workspace.");
    return new Store(customer, workspace.shard === 0 ? env.DB : env.DB_SHARD_1, workspace.number * 2 ** 32);
  }

  /** Adds `count` contacts with the same stored values, numbered from `first`. */
  async addContacts({ tags = [], custom_fields = {}, folded = {} }: Row, count = 1, first = 1): Promise<void> {
    await this.db
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1)
         INSERT INTO contacts (seq, id, workspace_id, tags, custom_fields, folded, created_at, updated_at)
         SELECT CAST(?3 AS INTEGER) + i, 'ct_' || ?4 || i, ?4, ?5, ?6, ?7, 1, 1 FROM n`,
      )
      .bind(
        first,
        count,
        this.base,
        this.customer.workspaceId,
        ...[tags, custom_fields, folded].map((v) => JSON.stringify(v)),
      )
      .run();
  }

  async rows(): Promise<Row[]> {
    const { results } = await this.db
      .prepare(
        `SELECT DISTINCT tags, custom_fields, folded, updated_at FROM contacts WHERE workspace_id = ? ORDER BY seq`,
      )
      .bind(this.customer.workspaceId)
      .all<Record<"tags" | "custom_fields" | "folded", string> & { updated_at: number }>();
    return results.map(({ updated_at, ...row }) => {
      if (updated_at !== 1) throw new Error("Cleaning is no update.");
      return Object.fromEntries(Object.entries(row).map(([name, json]) => [name, JSON.parse(json)]));
    });
  }

  async count(query: string): Promise<number> {
    return (await this.db.prepare(query).bind(this.customer.workspaceId).first<number>("n")) ?? 0;
  }

  pending(): Promise<number> {
    return this.count("SELECT count(*) AS n FROM cleanups WHERE workspace_id = ?");
  }

  async tag(name: string): Promise<string> {
    return (await this.customer.call("POST", "/tags", { name })).body.tag.id;
  }

  async field(field_key: string, type: string, options?: string[]): Promise<string> {
    const body = { field_key, label: "x", type, ...(options && { options }) };
    return (await this.customer.call("POST", "/custom-fields", body)).body.custom_field.id;
  }

  async keepOptions(id: string, options: string[]): Promise<void> {
    const { status } = await this.customer.call("PATCH", `/custom-fields/${id}`, { options });
    if (status !== 200) throw new Error(`The options were refused with ${status}.`);
  }

  async remove(path: string): Promise<void> {
    const { status } = await this.customer.call("DELETE", path);
    if (status !== 200) throw new Error(`Deleting was refused with ${status}.`);
  }
}

describe("Cleanup of contacts", () => {
  it("The cleanup of contacts removes a deleted tag from every contact and keeps other tags", async () => {
    const store = await Store.open();
    const [a] = [await store.tag("a"), await store.tag("b")];
    await store.addContacts({ tags: [1, 2] });
    await store.addContacts({ tags: [2] }, 1, 2);
    await store.addContacts({ tags: [1] }, 1, 3);
    await store.remove(`/tags/${a}`);
    expect(await store.pending()).toBe(1);
    await world.cron();
    expect((await store.rows()).map(({ tags }) => tags)).toEqual([[2], []]);
    expect(await store.pending()).toBe(0);
    const facets = await store.count(
      `SELECT count(*) AS n FROM contact_search WHERE contact_search MATCH 'f:"t' || char(19968, 19969) || '"'
       AND rowid IN (SELECT seq FROM contacts WHERE workspace_id = ?)`,
    );
    expect(facets).toBe(0);
  });

  it("The cleanup of contacts removes the values of a deleted field and their folded text", async () => {
    const store = await Store.open();
    const note = await store.field("note", "text");
    await store.field("age", "number");
    await store.addContacts({ custom_fields: { 1: "Hé", 2: 5 }, folded: { name: "x", f1: "he", f2: null } });
    await store.addContacts({ custom_fields: { 12: "kept" }, folded: { f12: "kept" } }, 1, 2);
    await store.remove(`/custom-fields/${note}`);
    await world.cron();
    expect(await store.rows()).toEqual([
      { tags: [], custom_fields: { 2: 5 }, folded: { name: "x", f2: null } },
      { tags: [], custom_fields: { 12: "kept" }, folded: { f12: "kept" } },
    ]);
  });

  it("The cleanup of contacts removes deleted options from select and multi_select values and keeps other options", async () => {
    const store = await Store.open();
    const plan = await store.field("plan", "select", ["a", "b", `"c'`]);
    const colors = await store.field("colors", "multi_select", ["a", "b", `"c'`]);
    await store.addContacts({ custom_fields: { 1: "a", 2: ["a", "b", `"c'`] }, folded: { f1: "a" } });
    await store.addContacts({ custom_fields: { 1: `"c'`, 2: ["a"] }, folded: { f1: `"c'` } }, 1, 2);
    await store.addContacts({ custom_fields: { 1: "b", 2: [`"c'`, "a"] }, folded: { f1: "b" } }, 1, 3);
    await store.keepOptions(plan, ["a"]);
    await store.keepOptions(colors, ["a"]);
    await world.cron();
    expect(await store.rows()).toEqual([
      { tags: [], custom_fields: { 1: "a", 2: ["a"] }, folded: { f1: "a" } },
      { tags: [], custom_fields: { 2: ["a"] }, folded: {} },
    ]);
    await store.keepOptions(colors, ["b"]);
    await world.cron();
    expect((await store.rows()).map((row) => row.custom_fields)).toEqual([{ 1: "a" }, {}]);
    await store.keepOptions(plan, ["a", `"c'`]);
  });

  it("Parallel cleanups change each contact once, and only in their workspace", { tags: "long" }, async () => {
    const [store, other] = [await Store.open(), await Store.open()];
    const [tag] = [await store.tag("a"), await other.tag("a")];
    await store.addContacts({ tags: [1] }, 6000);
    await other.addContacts({ tags: [1] }, 10);
    await store.remove(`/tags/${tag}`);
    await Promise.all([world.cron(), world.cron(), world.cron()]);
    expect(await store.pending()).toBe(0);
    expect(await store.rows()).toEqual([{ tags: [], custom_fields: {}, folded: {} }]);
    expect(await other.rows()).toEqual([{ tags: [1], custom_fields: {}, folded: {} }]);
    await world.cron();
    expect(await store.rows()).toHaveLength(1);
  });

  it("The cleanup of a large workspace's contacts does not delay other workspaces", { tags: "long" }, async () => {
    // New workspaces alternate between shards, so `large` and `small` are on the same shard.
    const [, large, , small] = [await Store.open(), await Store.open(), await Store.open(), await Store.open()];
    const tag = await large.tag("a");
    await large.addContacts({ tags: [1, 9] }, 95_000);
    await large.remove(`/tags/${tag}`);
    await small.addContacts({ tags: [1] }, 7000);
    await small.remove(`/tags/${await small.tag("a")}`);
    const left = "SELECT count(*) AS n FROM contacts WHERE workspace_id = ? AND tags = '[1,9]'";
    await world.cron();
    expect(await small.pending()).toBe(0);
    expect((await small.rows()).map(({ tags }) => tags)).toEqual([[]]);
    expect(await large.pending()).toBe(1);
    expect(await large.count(left)).toBe(95_000 - 18 * 5000);
    await world.cron();
    expect(await large.count(left)).toBe(0);
    expect(await large.pending()).toBe(0);
  });

  it("If a new tag gets the name of a deleted tag, the cleanup of the deleted tag does not add the new tag to contacts", async () => {
    const store = await Store.open();
    await store.addContacts({ tags: [1] });
    await store.remove(`/tags/${await store.tag("a")}`);
    await store.tag("A");
    expect((await store.rows())[0]?.tags).toEqual([1]);
    await world.cron();
    expect((await store.rows())[0]?.tags).toEqual([]);
    expect(await store.count("SELECT max(number) AS n FROM tags WHERE workspace_id = ?")).toBe(2);
  });

  it("A migration reindexes the contacts of a workspace in chunks, and parallel runs index each contact once", async () => {
    const store = await Store.open();
    await store.tag("a");
    await store.addContacts({ tags: [1] }, 1200);
    await store.count("INSERT INTO cleanups (workspace_id, kind, number) VALUES (?, 'index', 0) RETURNING id AS n");
    await Promise.all([world.cron(), world.cron()]);
    expect(await store.pending()).toBe(0);
    for (const query of ["tag=a", "tag=a&status=new"]) {
      const { total } = (await store.customer.call("GET", `/contacts?${query}&include_total=true`)).body;
      expect(total).toBe(1200);
    }
  });
});
