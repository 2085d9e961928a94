import { expect, it } from "vitest";
import { mergeSteps } from "../../src/db/merge-search-segments.ts";
import { onShard } from "../support/storage.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

async function countSegments(customer: Customer): Promise<number> {
  const [row] = await onShard(
    customer,
    "SELECT count(DISTINCT segid) AS count FROM contact_search_idx WHERE segid > 0 OR ? = ''",
    customer.workspaceId,
  );
  return Number(row?.["count"]);
}

it("The cron's merges of search segments take at most 480 queries in one invocation, with 1 to 80 shards", () => {
  for (let shards = 1; shards <= 80; shards++) {
    const perIndex = 2 + mergeSteps(shards);
    expect(2 * shards * perIndex, `${shards} shards`).toBeLessThanOrEqual(480);
    expect(mergeSteps(shards)).toBeGreaterThan(0);
  }
  expect([1, 2, 5].map(mergeSteps)).toEqual([100, 50, 20]);
});

it("The cron merges the segments of the search index, and searches find the same contacts", async () => {
  const customer = await new World().customer();
  for (let n = 0; n < 40 && (n === 0 || (await countSegments(customer)) <= 8); n++)
    await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: `Segmented ${n}` });
  const find = async () => (await customer.call("GET", "/contacts?search=segmented&limit=100")).body.contacts;
  const found = await find();
  expect(found.length).toBeGreaterThan(0);
  const before = await countSegments(customer);
  for (let minute = 0; minute < 3; minute++) await customer.world.cron();
  expect(await countSegments(customer)).toBeLessThan(before);
  expect(await find()).toEqual(found);
});
