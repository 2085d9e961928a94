import { globSync, readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { describe, expect, it } from "vitest";
import { buildSite, SOURCES } from "../../scripts/docs/build.ts";
import { find, searchOptions } from "../../scripts/docs/find.ts";

const site = await buildSite(new Map(globSync(SOURCES).map((path) => [path, readFileSync(path)])));

describe("Search", () => {
  const index = MiniSearch.loadJSON(site.get("docs/search.json") ?? "", searchOptions);
  const idsOf = (text: string) => find(index, text).map(({ id }) => String(id));

  it.each([
    ["how do I verify a webhook", "/docs/webhooks#verify-what-arrives"],
    ["upload picture", "/docs/media"],
    ["install sdk", "/docs/sdk"],
    ["webhook", "/docs/webhooks"],
    ["campaigns", "/docs/campaigns"],
    ["contacts", "/docs/contacts"],
    ["not_found", "/docs/errors#not_found"],
  ])("The documentation search for “%s” finds %s among the first three results", (text, id) => {
    expect(
      idsOf(text)
        .slice(0, 3)
        .some((found) => found.startsWith(id)),
      idsOf(text).slice(0, 6).join(" "),
    ).toBe(true);
  });

  it("The documentation search lists results from the changelog last", () => {
    const found = idsOf("webhook");
    const first = found.findIndex((id) => id.startsWith("/docs/changelog"));
    expect(found.slice(first).filter((id) => !id.startsWith("/docs/changelog"))).toEqual([]);
  });
});
