import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { all, contact, customField, namesIn, saved, segment, tagged, tagId } from "../../support/segment-world.ts";
import { type Customer, World } from "../../support/world.ts";

const NOW = Date.parse("2026-11-20T12:00:00.000Z");

beforeEach(() => {
  stopClock();
  vi.setSystemTime(NOW);
});

/** Stores contacts numbered 1 to `count`. Every tenth contact has "Rare". */
async function fill(customer: Customer, count: number): Promise<void> {
  const workspace = await env.DB.prepare("SELECT number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first<{ number: number; shard: number }>();
  if (workspace === null) throw new Error("No such workspace.");
  await (workspace.shard === 0 ? env.DB : env.DB_SHARD_1)
    .prepare(
      `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ?)
       INSERT INTO contacts (seq, id, workspace_id, name, folded, created_at, updated_at)
       SELECT CAST(? AS INTEGER) * 4294967296 + n, 'ct_' || ? || n, ?, n, json_object('name', iif(n <= 10, 'rare', 'common')), 1, 1 FROM counter`,
    )
    .bind(count, workspace.number, customer.workspaceId, customer.workspaceId)
    .run();
}

describe("Contacts of a segment", () => {
  it("A segment lists the contacts that match its filter, newest first, in the same format as other lists", async () => {
    const customer = await new World().customer();
    await customField(customer, "plan", "select", ["gold", "tin"]);
    await contact(customer, "Ana", { tags: ["VIP"], status: "hot", custom_fields: { plan: "gold" } });
    await contact(customer, "Bruno", { tags: ["vip", "new"], custom_fields: { plan: "tin" } });
    const archived = await contact(customer, "Carla", { tags: ["VIP"] });
    await customer.call("DELETE", `/contacts/${archived}`);
    await contact(customer, "Élodie", { is_unsubscribed: true });

    const find = async (filter: object) => namesIn(customer, await saved(customer, filter));
    expect(await find(tagged("has_any", "Vip"))).toEqual(["Bruno", "Ana"]);
    expect(await find(tagged("has_all", "VIP", "NEW"))).toEqual(["Bruno"]);
    expect(await find(tagged("has_none", "VIP"))).toEqual(["Élodie"]);
    expect(await find(all({ field: "custom_fields.plan", op: "ne", value: "gold" }))).toEqual(["Élodie", "Bruno"]);
    expect(await find(all({ field: "name", op: "starts_with", value: "ELO" }))).toEqual(["Élodie"]);
    expect(await find(all({ field: "is_unsubscribed", op: "eq", value: true }))).toEqual(["Élodie"]);
    expect(await find(all({ field: "created_at", op: "within_days", value: 1 }))).toEqual(["Élodie", "Bruno", "Ana"]);
    const group = {
      match: "any",
      conditions: [tagged("has_any", "new").conditions[0], { field: "status", op: "eq", value: "hot" }],
    };
    expect(
      await find({ match: "all", conditions: [{ field: "phone", op: "starts_with", value: "+1 (415)" }, group] }),
    ).toEqual(["Bruno", "Ana"]);

    const { body } = await customer.call(
      "GET",
      `/segments/${await saved(customer, tagged("has_any", "new"))}/contacts`,
    );
    const [shown] = body.contacts;
    expect(shown).toEqual((await customer.call("GET", `/contacts/${shown.id}`)).body.contact);
  });

  it("The contacts of a segment can be selected by the time of their last message", async () => {
    const customer = await new World().customer();
    await contact(customer, "Silent");
    await customer.receive("+14155550777", "Hello", "Talker");
    const recently = await saved(customer, all({ field: "last_inbound_at", op: "within_days", value: 1 }));
    const never = await saved(customer, all({ field: "last_inbound_at", op: "is_not_set" }));
    vi.setSystemTime(Date.now() + 60_000);
    expect(await namesIn(customer, recently)).toEqual(["Talker"]);
    expect(await namesIn(customer, never)).toEqual(["Silent"]);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    expect(await namesIn(customer, recently)).toEqual([]);
  });
});

describe("Segment filters", () => {
  it("A segment's filter displays the new name of a renamed tag and finds the same contacts", async () => {
    const customer = await new World().customer();
    await contact(customer, "Ana", { tags: ["VIP"] });
    const id = await saved(customer, tagged("has_any", "VIP"));
    await customer.call("PATCH", `/tags/${await tagId(customer, "VIP")}`, { name: "Best" });
    expect(await segment(customer, id)).toMatchObject({ invalid: false, filter: tagged("has_any", "Best") });
    expect(await namesIn(customer, id)).toEqual(["Ana"]);
  });

  it("A segment's filter is invalid after its tag is deleted, even if a new tag has the same name", async () => {
    const customer = await new World().customer();
    await contact(customer, "Ana", { tags: ["VIP"] });
    const id = await saved(customer, tagged("has_none", "VIP"));
    await customer.call("DELETE", `/tags/${await tagId(customer, "VIP")}`);
    await customer.call("POST", "/tags", { name: "VIP" });
    expect(await segment(customer, id)).toMatchObject({
      invalid: true,
      reasons: [{ path: "filter.conditions.0.value", code: "tag_deleted", message: expect.stringContaining("VIP") }],
      filter: tagged("has_none", "VIP"),
    });
    for (const path of ["contacts", "count"]) {
      const { status, body } = await customer.call("GET", `/segments/${id}/${path}`);
      expect([status, body.error.code, body.error.details.status]).toEqual([409, "invalid_state", "invalid"]);
      expect(body.error.details.reasons).toMatchObject([{ path: "filter.conditions.0.value" }]);
    }
    const { filter } = await segment(customer, id);
    expect((await customer.call("PATCH", `/segments/${id}`, { filter })).body.segment.invalid).toBe(false);
    expect(await namesIn(customer, id)).toEqual(["Ana"]);
  });

  it("A segment's filter is invalid after its custom field is deleted, even if a new field has the same key", async () => {
    const customer = await new World().customer();
    const field = await customField(customer, "plan", "text");
    const id = await saved(customer, all({ field: "custom_fields.plan", op: "is_not_set" }));
    await customer.call("DELETE", `/custom-fields/${field}`);
    await customField(customer, "plan", "number");
    const shown = await segment(customer, id);
    expect(shown).toMatchObject({
      invalid: true,
      reasons: [{ path: "filter.conditions.0.field", code: "field_deleted" }],
    });
    expect(shown.filter.conditions[0].field).toBe("custom_fields.plan");
    expect((await customer.call("GET", `/segments/${id}/count`)).status).toBe(409);
  });

  it("A segment's filter is invalid after its option is removed, and contacts with the removed option count as not set", async () => {
    const customer = await new World().customer();
    const field = await customField(customer, "plan", "select", ["gold", "tin"]);
    await contact(customer, "Ana", { custom_fields: { plan: "tin" } });
    const id = await saved(customer, all({ field: "custom_fields.plan", op: "ne", value: "tin" }));
    const set = await saved(customer, all({ field: "custom_fields.plan", op: "is_set" }));
    expect(await namesIn(customer, set)).toEqual(["Ana"]);
    await customer.call("PATCH", `/custom-fields/${field}`, { options: ["gold"] });
    expect(await segment(customer, id)).toMatchObject({ invalid: true, reasons: [{ code: "option_removed" }] });
    expect(await namesIn(customer, set)).toEqual([]);
  });
});

describe("Large workspaces", () => {
  it("A segment of a large workspace is read in bounded pages, without gaps or repeats", async () => {
    const customer = await new World().customer();
    await fill(customer, 12_000);
    const id = await saved(customer, all({ field: "name", op: "eq", value: "RARE" }));
    expect((await customer.call("GET", `/segments/${id}/count`)).body.count).toBe(10);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body, headers } = await customer.call("GET", `/segments/${id}/contacts?limit=4${query}`);
      pages.push(body.contacts.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor;
      const rowsRead = Number(/rows_read=(\d+)/.exec(headers.get("Server-Timing") ?? "")?.[1]);
      expect(rowsRead).toBeLessThan(5100);
    } while (cursor !== null);
    expect(pages).toEqual([[], [], ["10", "9", "8", "7"], ["6", "5", "4", "3"], ["2", "1"]]);
  });

  it("A segment of a large workspace reads few rows if many contacts match", async () => {
    const customer = await new World().customer();
    await fill(customer, 6000);
    const id = await saved(customer, all({ field: "name", op: "eq", value: "common" }));
    const { body, headers } = await customer.call("GET", `/segments/${id}/contacts?limit=20`);
    expect(body.contacts).toHaveLength(20);
    expect(Number(/rows_read=(\d+)/.exec(headers.get("Server-Timing") ?? "")?.[1])).toBeLessThan(100);
  });

  it("A segment of a large workspace accepts only page cursors that this segment has returned", async () => {
    const customer = await new World().customer();
    const id = await saved(customer, all({ field: "name", op: "is_set" }));
    const forged = [[-1], [2 ** 40], ["1"], [1, 2]].map((position) =>
      btoa(JSON.stringify(position)).replaceAll("=", ""),
    );
    for (const cursor of forged) {
      expect((await customer.call("GET", `/segments/${id}/contacts?cursor=${cursor}`)).status).toBe(400);
    }
  });
});

it("A segment with twenty of the longest conditions fits into one query", async () => {
  const customer = await new World().customer();
  await customField(customer, "plan", "select", ["gold"]);
  await customField(customer, "due", "datetime");
  const condition = { field: "custom_fields.due", op: "between", value: ["2026-01-01", "2026-12-31"] };
  const inner = Array.from({ length: 10 }, () => condition);
  const id = await saved(customer, {
    match: "any",
    conditions: [...inner.slice(1), { match: "all", conditions: inner }, condition],
  });
  await contact(customer, "Ana", { custom_fields: { due: "2026-12-31T23:59:59Z" } });
  await contact(customer, "Bea", { custom_fields: { due: "2027-01-01T00:00:00Z" } });
  expect(await namesIn(customer, id)).toEqual(["Ana"]);
});
