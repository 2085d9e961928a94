import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { all, contact, customField, namesIn, saved, segment, tagged, tagId } from "../../support/segment-world.ts";
import { type Customer, World } from "../../support/world.ts";

const NOW = Date.parse("2026-11-20T12:00:00.000Z");

beforeEach(() => {
  stopClock();
  vi.setSystemTime(NOW);
});

describe("Segments", () => {
  it("A segment can be saved, read, listed, changed and deleted", async () => {
    const customer = await new World().customer();
    const filter = all({ field: "status", op: "eq", value: "hot" }, { field: "email", op: "is_set" });
    const created = await customer.call("POST", "/segments", { name: " Hot ones ", filter });
    expect(created.status).toBe(201);
    const { id } = created.body.segment;
    expect(created.body.segment).toEqual({
      id: expect.stringMatching(/^seg_/),
      name: "Hot ones",
      filter: all({ field: "status", op: "eq", value: "hot" }, { field: "email", op: "is_set", value: null }),
      invalid: false,
      reasons: [],
      created_at: "2026-11-20T12:00:00.000Z",
      updated_at: "2026-11-20T12:00:00.000Z",
    });
    expect(await segment(customer, id)).toEqual(created.body.segment);

    vi.setSystemTime(NOW + 1000);
    const renamed = await customer.call("PATCH", `/segments/${id}`, { name: "Warm ones" });
    expect(renamed.body.segment).toEqual({
      ...created.body.segment,
      name: "Warm ones",
      updated_at: "2026-11-20T12:00:01.000Z",
    });
    const changed = await customer.call("PATCH", `/segments/${id}`, { filter: renamed.body.segment.filter });
    expect(changed.body.segment).toEqual(renamed.body.segment);
    expect((await customer.call("PATCH", `/segments/${id}`, {})).body.segment).toEqual(renamed.body.segment);

    const deleted = await customer.call("DELETE", `/segments/${id}`);
    expect(deleted.body.segment).toEqual(renamed.body.segment);
    expect((await customer.call("DELETE", `/segments/${id}`)).status).toBe(404);
    expect((await customer.call("GET", `/segments/${id}`)).status).toBe(404);
  });

  it("Segments are listed newest first, page by page", async () => {
    const customer = await new World().customer();
    const filter = all({ field: "name", op: "is_set" });
    for (const name of ["one", "two", "three"]) {
      await saved(customer, filter, name);
      vi.setSystemTime(Date.now() + 1);
    }
    const first = await customer.call("GET", "/segments?limit=2");
    expect(first.body.segments.map(({ name }: { name: string }) => name)).toEqual(["three", "two"]);
    const second = await customer.call("GET", `/segments?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.segments.map(({ name }: { name: string }) => name)).toEqual(["one"]);
    expect(second.body.next_cursor).toBeNull();
    expect(first.headers.get("Server-Timing")).toContain("trips=1 ");
  });
});

describe("Invalid filters", () => {
  const faults = async (customer: Customer, filter: unknown) => {
    const { status, body } = await customer.call("POST", "/segments", { name: "No", filter });
    expect(body.error?.code).toBe("validation_failed");
    expect(status).toBe(400);
    return body.error.details.map(({ path }: { path: string }) => path);
  };

  it("A segment's filter with errors is rejected with the path of every error, and is not saved", async () => {
    const customer = await new World().customer();
    expect(
      await faults(customer, {
        match: "all",
        conditions: [
          { field: "nope", op: "eq", value: 1 },
          { match: "any", conditions: [{ field: "name", op: "gt", value: "a" }] },
          { field: "tags", op: "has_any", value: ["ghost"] },
          { field: "custom_fields.ghost", op: "is_set" },
        ],
      }),
    ).toEqual([
      "filter.conditions.0.field",
      "filter.conditions.1.conditions.0.op",
      "filter.conditions.2.value",
      "filter.conditions.3.field",
    ]);
    expect((await customer.call("GET", "/segments")).body.segments).toEqual([]);
  });

  it.each([
    ["null", null, ["filter"]],
    ["empty", {}, ["filter.match", "filter.conditions"]],
    ["without conditions", { match: "all", conditions: [] }, ["filter.conditions"]],
    [
      "with too many",
      { match: "all", conditions: Array.from({ length: 21 }, () => ({ field: "name", op: "is_set" })) },
      ["filter.conditions"],
    ],
    [
      "with a typo",
      { match: "all", conditions: [{ field: "name", op: "is_set", vlaue: 1 }] },
      ["filter.conditions.0.vlaue"],
    ],
    [
      "with a group in a group",
      { match: "all", conditions: [{ match: "any", conditions: [{ match: "any", conditions: [] }] }] },
      ["filter.conditions.0.conditions.0.match", "filter.conditions.0.conditions.0.conditions"],
    ],
  ])("A segment's filter is rejected if it is %s", async (_, filter, paths) => {
    const customer = await new World().customer();
    expect((await faults(customer, filter)).toSorted()).toEqual(paths.toSorted());
  });

  it("A change to a segment with an invalid filter is rejected and changes nothing", async () => {
    const customer = await new World().customer();
    const id = await saved(customer, all({ field: "name", op: "is_set" }), "Kept");
    const changed = await customer.call("PATCH", `/segments/${id}`, {
      name: "Lost",
      filter: tagged("has_any", "ghost"),
    });
    expect(changed.status).toBe(400);
    expect((await segment(customer, id)).name).toBe("Kept");
    expect((await customer.call("PATCH", `/segments/${id}`, { filter: null })).status).toBe(400);
  });
});

describe("Other workspaces' segments", () => {
  it("A segment of another workspace returns 404", async () => {
    const world = new World();
    const [owner, other] = [await world.customer(), await world.customer()];
    const id = await saved(owner, all({ field: "name", op: "is_set" }));
    await contact(owner, "Ana");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["GET", "/contacts", undefined],
      ["GET", "/count", undefined],
    ] as const) {
      expect((await other.call(method, `/segments/${id}${path}`, body)).status, `${method} ${path}`).toBe(404);
    }
    expect((await other.call("GET", "/segments")).body.segments).toEqual([]);
    expect(await namesIn(owner, id)).toEqual(["Ana"]);
    expect((await segment(owner, id)).name).toBe("Segment");
  });

  it("A segment never finds contacts, tags or fields of other workspaces", async () => {
    const world = new World();
    const [owner, other] = [await world.customer(), await world.customer()];
    await contact(other, "Olga", { tags: ["theirs"] });
    await customField(other, "theirs", "text");
    const refused = await owner.call("POST", "/segments", {
      name: "No",
      filter: all({ field: "tags", op: "has_any", value: ["theirs"] }, { field: "custom_fields.theirs", op: "is_set" }),
    });
    expect(refused.status).toBe(400);
    expect(await namesIn(owner, await saved(owner, all({ field: "name", op: "is_set" })))).toEqual([]);
  });
});

describe("Repeated requests", () => {
  const once = (key: string) => ({ headers: { "Idempotency-Key": key } });

  it("Requests with one Idempotency-Key create one segment, even if many are concurrent", async () => {
    const customer = await new World().customer();
    const body = { name: "Once", filter: all({ field: "name", op: "is_set" }) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => customer.call("POST", "/segments", body, once("k1"))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body)))).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") !== "true")).toHaveLength(1);
    expect((await customer.call("GET", "/segments")).body.segments).toHaveLength(1);
  });

  it("A repeated request to create a segment returns the first response, even after its tag was renamed", async () => {
    const customer = await new World().customer();
    await contact(customer, "Ana", { tags: ["VIP"] });
    const body = { name: "Once", filter: tagged("has_any", "VIP") };
    const first = await customer.call("POST", "/segments", body, once("k1"));
    await customer.call("PATCH", `/tags/${await tagId(customer, "VIP")}`, { name: "Best" });
    const again = await customer.call("POST", "/segments", body, once("k1"));
    expect([again.status, again.body, again.headers.get("Idempotent-Replayed")]).toEqual([201, first.body, "true"]);
    expect((await customer.call("POST", "/segments", { ...body, name: "Other" }, once("k1"))).body.error.code).toBe(
      "idempotency_key_reused",
    );
  });

  it("A repeated deletion of a segment with an Idempotency-Key deletes once and returns the first response", async () => {
    const customer = await new World().customer();
    const id = await saved(customer, all({ field: "name", op: "is_set" }));
    const answers = await Promise.all(
      [1, 2, 3].map(() => customer.call("DELETE", `/segments/${id}`, undefined, once("k2"))),
    );
    const again = await customer.call("DELETE", `/segments/${id}`, undefined, once("k2"));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, again.body]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("Only one of three concurrent deletions of a segment succeeds, and the others return 404", async () => {
    const customer = await new World().customer();
    const id = await saved(customer, all({ field: "name", op: "is_set" }));
    const answers = await Promise.all([1, 2, 3].map(() => customer.call("DELETE", `/segments/${id}`)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404", "404"]);
  });
});
