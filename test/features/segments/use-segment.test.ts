import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { crowd } from "../../support/scans.ts";
import { all, contact, namesIn, saved, tagged } from "../../support/segment-world.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { skipWaits } from "../../support/waits.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const hot = all({ field: "status", op: "eq", value: "hot" });
const cold = all({ field: "status", op: "eq", value: "cold" });

const list = (customer: Customer, id: string) => customer.call("GET", `/segments/${id}/contacts`);
const count = (customer: Customer, id: string) => customer.call("GET", `/segments/${id}/count`);

/** A segment with one matching contact. The first request caches the segment. */
async function knownSegment(filter: object = hot) {
  const customer = await new World().customer();
  await contact(customer, "Hot", { status: "hot", tags: ["VIP"] });
  await contact(customer, "Cold", { status: "cold" });
  const id = await saved(customer, filter);
  expect(await namesIn(customer, id)).toEqual(["Hot"]);
  return { customer, id };
}

describe("Cached segments", () => {
  it("A cached segment is listed and counted in one round trip", async () => {
    const { customer, id } = await knownSegment();
    for (const answer of [await list(customer, id), await count(customer, id)])
      expect([answer.status, costOf(answer)["trips"]]).toEqual([200, 1]);
  });

  it("A cached segment uses its current filter, even if the change did not go through the cache", async () => {
    const { customer, id } = await knownSegment();
    await customer.call("PATCH", `/segments/${id}`, { filter: cold });
    expect(await namesIn(customer, id)).toEqual(["Cold"]);
    const stored = await onShard(customer, "SELECT filter FROM segments WHERE id = ?", id);
    const changed = String(stored[0]?.["filter"]).replace("cold", "hot");
    await onShard(customer, "UPDATE segments SET filter = ? WHERE id = ?", changed, id);
    expect((await count(customer, id)).body.count).toBe(1);
    expect(await namesIn(customer, id)).toEqual(["Hot"]);
  });

  it("A cached segment returns 404 after its deletion, and in another workspace", async () => {
    const { customer, id } = await knownSegment();
    const other = await customer.world.customer();
    for (const ask of [list, count]) expect((await ask(other, id)).status).toBe(404);
    await customer.call("DELETE", `/segments/${id}`);
    for (const ask of [list, count]) expect((await ask(customer, id)).status).toBe(404);
    const gone = await knownSegment();
    await gone.customer.call("DELETE", `/segments/${gone.id}`);
    expect((await count(gone.customer, gone.id)).status).toBe(404);
  });

  it("A cached segment is invalid after a tag of its filter is deleted", async () => {
    const { customer, id } = await knownSegment(tagged("has_any", "VIP"));
    const [tag] = (await customer.call("GET", "/tags")).body.tags;
    await customer.call("DELETE", `/tags/${tag.id}`);
    for (const ask of [list, count]) {
      const { status, body } = await ask(customer, id);
      expect([status, body.error.code]).toEqual([409, "invalid_state"]);
      expect(body.error.details.reasons).toMatchObject([{ code: "tag_deleted" }]);
    }
  });

  it("A cached segment that has changed is counted again, even while other requests share an earlier count", async () => {
    const { customer } = await customerWith(2500);
    skipWaits();
    const id = await saved(customer, all({ field: "status", op: "eq", value: "new" }));
    expect((await count(customer, id)).body.count).toBe(2500);
    const again = await count(customer, id);
    expect([again.body.count, costOf(again)["trips"]]).toEqual([2500, 1]);
    await customer.call("PATCH", `/segments/${id}`, { filter: hot });
    expect((await count(customer, id)).body.count).toBe(0);
    await customer.call("DELETE", `/segments/${id}`);
    expect((await count(customer, id)).status).toBe(404);
  });

  it("A cached segment returns 404 after its deletion, even if no turn is available", async () => {
    const { customer, id } = await knownSegment();
    await customer.call("DELETE", `/segments/${id}`);
    const others = await crowd(customer);
    expect((await count(customer, id)).status).toBe(404);
    await others.leave();
  });
});
