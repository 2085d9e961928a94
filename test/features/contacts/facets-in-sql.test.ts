import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shardDatabase } from "../../../src/db/client.ts";
import {
  activeFacet,
  archivedFacet,
  sourceFacet,
  statusFacet,
  tagFacet,
} from "../../../src/features/contacts/contacts.facets.ts";
import { tagFacetSql } from "../../../src/features/contacts/search-contacts.sql.ts";
import { World } from "../../support/world.ts";

interface StoredWorkspace {
  number: number;
  shard: number;
}

/** The facet tokens that the database has for the contacts of a workspace, in the order of their numbers. */
async function storedFacets({ number, shard }: StoredWorkspace): Promise<string[][]> {
  const base = number * 2 ** 32;
  const rows = await shardDatabase(env, shard).all<{ f: string }>(
    sql`SELECT f FROM contact_search_source WHERE seq > ${base} AND seq < ${base + 2 ** 32} ORDER BY seq`,
  );
  return rows.map(({ f }) => f.split(" "));
}

describe("the search index", () => {
  it("has the tokens that searches look for, for active and archived contacts with status, source and tags", async () => {
    const customer = await new World().customer();
    const workspace = await env.DB.prepare("SELECT number, shard FROM workspaces WHERE id = ?")
      .bind(customer.workspaceId)
      .first<StoredWorkspace>();
    if (workspace === null) throw new Error("No such workspace.");
    const contacts = [
      { phone: "+14155550101", status: "hot", source: "Web Site", tags: ["A", "B"] },
      { phone: "+14155550102" },
    ];
    await customer.call("POST", "/contacts/batch", { contacts });
    const [{ id }] = (await customer.call("GET", "/contacts?limit=1")).body.contacts;
    await customer.call("DELETE", `/contacts/${id}`);
    expect(await storedFacets(workspace)).toEqual([
      [activeFacet(workspace.number), statusFacet("hot"), sourceFacet("Web Site"), tagFacet(1), tagFacet(2)],
      [archivedFacet(workspace.number), statusFacet("new"), sourceFacet("api")],
    ]);
  });

  it("looks for a tag by the token of its number", () =>
    fc.assert(
      fc.asyncProperty(fc.nat({ max: 4096 * 4096 - 1 }), async (number) => {
        const [row] = await shardDatabase(env, 0).all<{ token: string }>(
          sql`SELECT ${tagFacetSql(sql`number`)} AS token FROM (SELECT ${number} AS number)`,
        );
        return row?.token === tagFacet(number);
      }),
      { numRuns: 50, endOnFailure: true },
    ));
});
