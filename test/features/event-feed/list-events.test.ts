import { expect, test } from "vitest";
import { customerWithEmptyLog, eventPage as events, log } from "../../support/fill-log.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

const sequencesIn = (body: Answer["body"]): number[] =>
  body.events.map(({ sequence }: { sequence: number }) => sequence);

const codeOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details];

/** Returns a workspace with this number of events. */
async function customerWithEvents(count: number): Promise<Customer> {
  const customer = await new World().customer();
  await log(
    customer,
    Array.from({ length: count }, (_, index) => ({
      type: index % 2 === 0 ? "tag.created" : "tag.updated",
      id: "tag_1",
    })),
  );
  return customer;
}

test("Requests that continue with next_after return every event once and in order", async () => {
  const customer = await customerWithEvents(25);
  await log(customer, [{ type: "tag.deleted", id: "tag_1" }]);
  const seen: number[] = [];
  for (let after = "", hasMore = true; hasMore;) {
    const page = await events(customer, `?limit=10${after}`);
    seen.push(...sequencesIn(page));
    after = `&after=${page.next_after}`;
    hasMore = page.has_more;
  }
  expect(seen).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
});

test("`has_more` is false on the page with the newest event", async () => {
  const customer = await customerWithEvents(3);
  const page = await events(customer, "?limit=3");
  expect([sequencesIn(page), page.has_more]).toEqual([[1, 2, 3], false]);
  expect(await events(customer, `?after=${page.next_after}`)).toEqual({
    success: true,
    events: [],
    next_after: page.next_after,
    has_more: false,
  });
});

test("Events can be filtered by type and by object", async () => {
  const customer = await new World().customer();
  const all = ["message.sent", "message.read", "contact.created", "contact.updated", "tag.created"];
  await log(
    customer,
    all.map((type) => ({ type, id: "x_1" })),
  );
  const typesOf = async (types: string) =>
    (await events(customer, `?types=${types}`)).events.map(({ type }: { type: string }) => type);
  expect(await typesOf("message.*,contact.created")).toEqual(all.slice(0, 3));
  expect(await typesOf("%20tag.created%20,%20tag.created")).toEqual(["tag.created"]);
  expect(await typesOf("*")).toEqual(all);
  expect(await typesOf("webhook.*")).toEqual([]);
});

test("Listing events with invalid parameters returns 422", async () => {
  const customer = await customerWithEvents(1);
  for (const [query, path] of [
    ["types=", "query.types"],
    ["types=message.*,", "query.types"],
    ["types=message.seen", "query.types"],
    ["types=messages.*", "query.types"],
    ["types=message*", "query.types"],
    ["limit=0", "query.limit"],
    ["limit=101", "query.limit"],
    ["wait=0", "query.wait"],
    ["wait=21", "query.wait"],
    ["wait=1.5", "query.wait"],
    ["after=", "query.after"],
    ["cursor=x", "query.cursor"],
  ]) {
    const { status, body } = await customer.call("GET", `/events?${query}`);
    expect([status, body.error?.code, body.error?.details[0]?.path], query).toEqual([400, "validation_failed", path]);
  }
});

test("Listing events after `now` returns only later events", async () => {
  const customer = await customerWithEvents(3);
  const page = await events(customer, "?after=now");
  expect([page.events, page.has_more]).toEqual([[], false]);
  await log(customer, [{ type: "tag.deleted", id: "tag_1" }]);
  expect(sequencesIn(await events(customer, `?after=${page.next_after}`))).toEqual([4]);
});

test("A caller who follows an empty log misses no event", async () => {
  const customer = await customerWithEmptyLog();
  for (const query of ["", "?after=now"]) {
    const page = await events(customer, query);
    expect(page).toEqual({ success: true, events: [], next_after: expect.stringMatching(/^evt_/), has_more: false });
    const again = await events(customer, `?after=${page.next_after}`);
    expect(again).toEqual(page);
    expect(codeOf(await customer.call("GET", `/events/${page.next_after}`))).toEqual([404, "not_found", null]);
  }
  const { next_after: next } = await events(customer, "?after=now");
  await log(customer, [{ type: "tag.created", id: "tag_1" }]);
  expect(sequencesIn(await events(customer, `?after=${next}`))).toEqual([1]);
});

test("Listing events after an unknown id returns 404", async () => {
  const world = new World();
  const [customer, other] = [await world.customer(), await world.customer()];
  for (const each of [customer, other]) await log(each, [{ type: "tag.created", id: "tag_1" }]);
  const theirs = (await events(other)).events[0].id;
  const mine: string = (await events(customer)).events[0].id;
  const ofAnotherTime = mine.replace(/^evt_../, "evt_00");
  const yetToCome = mine.replace(/1$/, "2");
  for (const id of [theirs, ofAnotherTime, yetToCome, "evt_1", "tag_1", mine.toUpperCase()]) {
    expect(codeOf(await customer.call("GET", `/events?after=${id}`)), id).toEqual([404, "not_found", null]);
    expect(codeOf(await customer.call("GET", `/events/${id}`)), id).toEqual([404, "not_found", null]);
  }
  expect((await customer.call("GET", `/events?after=${mine}`)).status).toBe(200);
});

test("Listing events after a deleted event returns an error, except after the newest deleted event", async () => {
  const customer = await customerWithEvents(3);
  for (let batch = 0; batch < 2; batch++) await log(customer, [{ type: "tag.updated", id: "tag_1" }]);
  const ids: string[] = (await events(customer)).events.map(({ id }: { id: string }) => id);
  await onShard(customer, "DELETE FROM event_chunks WHERE first = 1 AND workspace_id = ?", customer.workspaceId);
  expect(codeOf(await customer.call("GET", `/events?after=${ids[1]}`))).toEqual([
    410,
    "cursor_expired",
    { oldest: ids[3] },
  ]);
  expect(codeOf(await customer.call("GET", `/events?after=${ids[1]}&wait=20`))[0]).toBe(410);
  expect(codeOf(await customer.call("GET", `/events/${ids[1]}`))).toEqual([404, "not_found", null]);
  expect(sequencesIn(await events(customer, `?after=${ids[2]}`))).toEqual([4, 5]);
  expect(sequencesIn(await events(customer))).toEqual([4, 5]);
});

test("Listing events requires a key, and a read-only key is sufficient", async () => {
  const customer = await new World().customer({ key: { read_only: true } });
  await log(customer, [{ type: "tag.created", id: "tag_1" }]);
  expect(sequencesIn(await events(customer))).toEqual([1]);
  expect((await customer.call("GET", "/events", undefined, { token: null })).status).toBe(401);
});
