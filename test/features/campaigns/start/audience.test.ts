import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  addPeople,
  campaign,
  campaignOf,
  change,
  customerWith,
  differences,
  numberOf,
  recipientsOf,
  started,
} from "../../../support/campaigns.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

const make = async (customer: Customer, fields: object): Promise<string> =>
  (await customer.call("POST", "/contacts", fields)).body.contact.id;

const segmentOf = async (customer: Customer, ...conditions: object[]): Promise<string> =>
  (await customer.call("POST", "/segments", { name: "Segment", filter: { match: "all", conditions } })).body.segment.id;

const reached = async (customer: Customer, id: string) =>
  (await recipientsOf(customer, id)).map(({ phone }) => String(phone)).toSorted();

describe("Audiences", () => {
  it("A campaign's audience contains only contacts that exist at the start, even if the audience is expanded later", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer, { body: "Hello" });
    await addPeople(customer, 2, 100);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ recipient_count: 3, counts: { read: 3 } });
  });

  it("A campaign's audience is expanded in several steps without gaps or duplicates, even if the campaign is paused", async () => {
    const { world, customer } = await customerWith(11_000);
    const id = await started(customer, { body: "Hello" });
    await change(customer, id, "pause");
    await world.settle({ copies: 2 });
    const found = await campaign(customer, id);
    expect(found).toMatchObject({ status: "paused", recipient_count: 11_000, counts: { pending: 11_000 } });
    expect(found.audience_ready_at).not.toBeNull();
    expect(await differences(customer, id)).toEqual({});
    const { recipients } = (await customer.call("GET", `/campaigns/${id}/recipients?limit=1`)).body;
    expect(recipients).toMatchObject([{ phone: numberOf(0), state: "pending" }]);
  });

  it("In an audience, conditions like “in the last 2 days” count back from the campaign's start, even if it is scheduled", async () => {
    const { world, customer } = await customerWith(0);
    await make(customer, { phone: numberOf(0) });
    world.advance(3 * DAY);
    await make(customer, { phone: numberOf(1) });
    const segment_id = await segmentOf(customer, { field: "created_at", op: "within_days", value: 2 });
    const now = await started(customer, { body: "Hello", segment_id });
    const later = await started(customer, { body: "Hello", segment_id, scheduled_at: iso(Date.now() + DAY) });
    await world.settle();
    expect(await reached(customer, now)).toEqual([numberOf(1)]);
    world.advance(DAY - 3_600_000);
    await make(customer, { phone: numberOf(2) });
    await world.settle({ withinMs: 2 * DAY });
    expect(await reached(customer, later)).toEqual([numberOf(1), numberOf(2)]);
  });

  it("A campaign's audience can be selected by last message, by present and missing tags, and by a custom field", async () => {
    const { customer } = await customerWith(0);
    await customer.call("POST", "/custom-fields", { field_key: "score", label: "Score", type: "number" });
    const people = [
      { phone: numberOf(0), tags: ["VIP"], custom_fields: { score: 7 } },
      { phone: numberOf(1), tags: ["VIP", "Left"], custom_fields: { score: 7 } },
      { phone: numberOf(2), tags: ["VIP"], custom_fields: { score: 1 } },
      { phone: numberOf(3), custom_fields: { score: 9 } },
    ];
    await customer.call("POST", "/contacts/batch", { contacts: people });
    await customer.receive(numberOf(0), "Hi");
    const count = async (fields: object) =>
      (await customer.call("POST", "/campaigns/preview", await campaignOf(customer, { body: "Hi", ...fields }))).body;
    const wrote = await segmentOf(customer, { field: "last_inbound_at", op: "within_days", value: 1 });
    const stayed = await segmentOf(
      customer,
      { field: "tags", op: "has_none", value: ["Left"] },
      { field: "custom_fields.score", op: "gte", value: 7 },
    );
    expect((await count({ segment_id: wrote })).samples).toMatchObject([{ phone: numberOf(0) }]);
    expect(await count({ segment_id: stayed })).toMatchObject({ recipient_count: 2 });
    expect(await count({ segment_id: stayed, filter_tags: ["vip"] })).toMatchObject({ recipient_count: 1 });
  });
});

describe("Several workspaces", () => {
  it("Concurrent campaigns of different workspaces reach only their own contacts, even if these have the same numbers", async () => {
    const world = new World();
    const customers = await Promise.all(Array.from({ length: 4 }, () => world.customer()));
    const ids: string[] = [];
    for (const [n, customer] of customers.entries()) {
      await addPeople(customer, 10 + n);
      ids.push(await started(customer, { body: `From ${n}` }));
    }
    const shards = await world.env.DB.prepare("SELECT count(DISTINCT shard) AS n FROM workspaces").first("n");
    expect(shards).toBe(2);
    await world.settle({ copies: 2 });
    for (const [n, customer] of customers.entries()) {
      expect(await campaign(customer, ids[n] ?? "")).toMatchObject({ status: "completed", counts: { read: 10 + n } });
      const outbox = await customer.outbox("?limit=100");
      expect(outbox.map(({ body }) => body)).toEqual(Array.from({ length: 10 + n }, () => `From ${n}`));
      expect((await customer.call("GET", "/campaigns")).body.campaigns).toHaveLength(1);
    }
  });

  it("A campaign cannot use templates, segments, tags or cursors of another workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await addPeople(mine, 1);
    await make(theirs, { phone: numberOf(0), tags: ["Theirs"] });
    const body = await campaignOf(theirs, { body: "Hello" });
    const own = await campaignOf(mine, { body: "Hello" });
    const segment_id = await segmentOf(theirs, { field: "status", op: "eq", value: "new" });
    const statusOf = async (sent: object) => (await mine.call("POST", "/campaigns", sent)).status;
    expect(await statusOf(body)).toBe(404);
    expect(await statusOf({ ...own, segment_id })).toBe(404);
    expect(await statusOf({ ...own, filter_tags: ["Theirs"] })).toBe(400);
    const later = { scheduled_at: iso(Date.now() + DAY) };
    for (let n = 0; n < 2; n++) await started(theirs, later);
    const { next_cursor: cursor } = (await theirs.call("GET", "/campaigns?limit=1")).body;
    expect((await mine.call("GET", `/campaigns?limit=1&cursor=${cursor}`)).body.campaigns).toEqual([]);
  });
});
