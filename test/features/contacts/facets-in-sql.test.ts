import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shardDatabase } from "../../../src/db/client.ts";
import { contactStatuses } from "../../../src/features/contacts/contact-fields.schemas.ts";
import {
  activeFacet,
  archivedFacet,
  COMBINED_FACET,
  COMBINED_PRIME,
  COMBINED_TAG_FACTOR,
  combinedSum,
  facetDigits,
  sourceFacet,
  statusFacet,
  tagFacet,
} from "../../../src/features/contacts/contacts.facets.ts";
import { combinedFacetSql, tagFacetSql } from "../../../src/features/contacts/search/search-contacts.sql.ts";
import { World } from "../../support/world.ts";

interface StoredWorkspace {
  number: number;
  shard: number;
}

/** Returns the stored facet tokens of a workspace's contacts, in the order of their numbers. */
async function storedFacets({ number, shard }: StoredWorkspace): Promise<string[][]> {
  const base = number * 2 ** 32;
  const rows = await shardDatabase(env, shard).all<{ f: string }>(
    sql`SELECT f FROM contact_search_source WHERE seq > ${base} AND seq < ${base + 2 ** 32} ORDER BY seq`,
  );
  return rows.map(({ f }) => f.split(" "));
}

/** The tag number 0 means no tag. */
const combinedFacet = (facets: Parameters<typeof combinedSum>[0], tagNumber: number): string =>
  COMBINED_FACET + facetDigits((combinedSum(facets) + COMBINED_TAG_FACTOR * tagNumber) % COMBINED_PRIME);

/** Returns the combined facets of a contact, for each combination of its status, its source and one of its tags. */
function combinedFacets(
  workspaceNumber: number,
  contact: { isArchived: boolean; status: string; source: string; tags: number[] },
): string[] {
  const { isArchived } = contact;
  return [undefined, contact.status].flatMap((status) =>
    [undefined, contact.source].flatMap((source) =>
      [0, ...contact.tags]
        .filter((tag) => status !== undefined || source !== undefined || tag !== 0)
        .map((tag) => combinedFacet({ workspaceNumber, isArchived, status, source }, tag)),
    ),
  );
}

describe("Search index", () => {
  it("The search index contains the tokens that searches use to filter contacts by archived, status, source and tag", async () => {
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
    const { number } = workspace;
    const stored = await storedFacets(workspace);
    expect(stored.map((facets) => facets.slice(0, -1))).toEqual([
      [activeFacet(number), statusFacet("hot"), sourceFacet("Web Site"), tagFacet(1), tagFacet(2)],
      [archivedFacet(number), statusFacet("new"), sourceFacet("api")],
    ]);
    const active = { isArchived: false, status: "hot", source: "web site", tags: [1, 2] };
    const archived = { isArchived: true, status: "new", source: "API", tags: [] };
    const combined = stored.map((facets) => (facets.at(-1) ?? "").match(/.{3}/gu)?.toSorted());
    expect(combined).toEqual([active, archived].map((contact) => combinedFacets(number, contact).toSorted()));
  });

  it("SQL and TypeScript compute the same search token for the number of a tag", () =>
    fc.assert(
      fc.asyncProperty(fc.nat({ max: 4096 * 4096 - 1 }), async (number) => {
        const [row] = await shardDatabase(env, 0).all<{ token: string }>(
          sql`SELECT ${tagFacetSql(sql`number`)} AS token FROM (SELECT ${number} AS number)`,
        );
        return row?.token === tagFacet(number);
      }),
      { numRuns: 50, endOnFailure: true },
    ));

  it("SQL and TypeScript compute the same search token for a combination of filters, even with large numbers", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          workspaceNumber: fc.nat({ max: 2 ** 24 }),
          isArchived: fc.boolean(),
          status: fc.constantFrom(undefined, ...contactStatuses),
          source: fc.option(fc.string(), { nil: undefined }),
        }),
        fc.nat({ max: 2 ** 24 }),
        async (facets, tagNumber) => {
          const [row] = await shardDatabase(env, 0).all<{ token: string }>(
            sql`SELECT ${combinedFacetSql(facets, sql`number`)} AS token FROM (SELECT CAST(${tagNumber} AS INTEGER) AS number)`,
          );
          return row?.token === combinedFacet(facets, tagNumber);
        },
      ),
      { numRuns: 50, endOnFailure: true },
    ));
});
