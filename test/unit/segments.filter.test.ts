import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/features/custom-fields/custom-fields.values.ts";
import { compileFilter } from "../../src/features/segments/compile-filter.sql.ts";
import { readFilter, type SentFilter } from "../../src/features/segments/segments.reading.ts";
import { describeFilter, type StoredFilter, findInvalidReasons } from "../../src/features/segments/segments.stored.ts";

const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const plan: FieldDefinition = { number: 7, key: "plan", type: "select", options: ["gold", "tin"], removed: ["lead"] };
const score: FieldDefinition = { number: 8, key: "score", type: "number", options: [], removed: [] };
const fields = [plan, score];
const vip = { number: 3, name: "VIP" };

const names = {
  tag: (name: string) => (name.toLowerCase() === "vip" ? vip : undefined),
  field: (key: string) => fields.find((field) => field.key === key),
};

const all = (...conditions: SentFilter["conditions"]): SentFilter => ({ match: "all", conditions });

const faultsOf = (filter: SentFilter) => readFilter(filter, names).faults;

function stored(filter: SentFilter): StoredFilter {
  const read = readFilter(filter, names);
  if (read.stored === null) throw new Error(JSON.stringify(read.faults));
  return read.stored;
}

function compiled(...conditions: SentFilter["conditions"]) {
  const { sql, params } = new SQLiteAsyncDialect().sqlToQuery(compileFilter(stored(all(...conditions)), fields, NOW));
  return { sql, params };
}

describe("Compiled filters", () => {
  it("A compiled filter binds every value, so that no text is ever SQL", () => {
    const nasty = `'); DROP TABLE contacts; --`;
    const { sql, params } = compiled({ field: "name", op: "contains", value: nasty });
    expect(sql).not.toContain("DROP");
    expect(params).toEqual(["'); drop table contacts; --"]);
  });

  it("A compiled filter binds a list as one parameter", () => {
    const phones = ["+5511987654321", "+1 415 555 0100"];
    expect(compiled({ field: "phone", op: "in", value: phones }).params).toEqual(['["+5511987654321","+14155550100"]']);
  });

  it("A compiled filter normalizes a phone number before it compares the number", () => {
    expect(compiled({ field: "phone", op: "eq", value: "+55 11 8765-4321" }).params).toEqual(["+5511987654321"]);
  });

  it("A compiled filter reads a custom field by its internal number, not by its key", () => {
    expect(compiled({ field: "custom_fields.score", op: "between", value: [1, 5] }).params).toEqual(['$."8"', 1, 5]);
  });

  it("The operator within_days of a compiled filter counts back from the current time", () => {
    const { params } = compiled({ field: "created_at", op: "within_days", value: 7 });
    expect(params).toEqual([NOW - 7 * 86_400_000, NOW]);
  });

  it("In a compiled filter, a condition on an unset value is false, and a negated condition is true", () => {
    expect(compiled({ field: "name", op: "eq", value: "a" }).sql).toMatch(/IS TRUE\)$/);
    expect(compiled({ field: "name", op: "ne", value: "a" }).sql).toMatch(/IS NOT TRUE\)$/);
  });

  it("A compiled filter combines its conditions, and the conditions of a group, by all or any", () => {
    const filter: SentFilter = {
      match: "any",
      conditions: [
        { field: "status", op: "eq", value: "hot" },
        {
          match: "all",
          conditions: [
            { field: "tags", op: "has_any", value: ["vip"] },
            { field: "email", op: "is_set" },
          ],
        },
      ],
    };
    const { sql } = new SQLiteAsyncDialect().sqlToQuery(compileFilter(stored(filter), fields, NOW));
    expect(sql).toMatch(/^\(\(c\.status = \?\) IS TRUE OR \(.* AND \(c\.email IS NOT NULL\) IS TRUE\)\)$/);
  });

  it("A compiled filter with twenty of the largest conditions stays within D1's limits of parameters and depth", () => {
    const widest = { field: "custom_fields.score", op: "between", value: [1, 2] };
    expect(compiled(...Array.from({ length: 20 }, () => widest)).params.length).toBeLessThanOrEqual(60);
  });

  it("Compiling a filter throws an error if its custom field was deleted, because the audience would grow without the condition", () => {
    const filter = stored(all({ field: "custom_fields.score", op: "ne", value: 1 }));
    expect(() => compileFilter(filter, [plan], NOW)).toThrow(/was deleted/);
  });
});

describe("Submitted filters", () => {
  it("A submitted filter is stored with the numbers and names of its tags and custom fields", () => {
    const filter = all(
      { field: "tags", op: "has_all", value: ["vip", "VIP"] },
      { field: "custom_fields.plan", op: "eq", value: "gold" },
    );
    expect(stored(filter)).toEqual({
      match: "all",
      conditions: [
        { field: "tags", op: "has_all", value: [3] },
        { field: 7, op: "eq", value: "gold" },
      ],
      tags: [vip],
      fields: [{ number: 7, key: "plan" }],
    });
  });

  it("A submitted filter is rejected with all errors at once, each with its path", () => {
    const faults = faultsOf({
      match: "all",
      conditions: [
        { field: "nmae", op: "eq", value: "x" },
        { match: "any", conditions: [{ field: "status", op: "like", value: "hot" }] },
        { field: "created_at", op: "gt", value: "yesterday" },
        { field: "tags", op: "has_any", value: ["vip", "nobody"] },
        { op: "eq", value: 1 },
        { field: "custom_fields.plan", op: "in", value: ["lead", "gold"] },
        { field: "custom_fields.nope", op: "is_set" },
      ],
    });
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ["filter.conditions.0.field", "unknown_field"],
      ["filter.conditions.1.conditions.0.op", "invalid_value"],
      ["filter.conditions.2.value", "invalid_format"],
      ["filter.conditions.3.value", "unknown_tag"],
      ["filter.conditions.4.field", "required"],
      ["filter.conditions.5.value", "invalid_value"],
      ["filter.conditions.6.field", "unknown_field"],
    ]);
  });

  it.each([
    ["a value for is_set", { field: "name", op: "is_set", value: "x" }, "value"],
    ["a value that is missing", { field: "name", op: "eq" }, "value"],
    ["a null", { field: "name", op: "eq", value: null }, "value"],
    ["an empty text", { field: "name", op: "contains", value: "  " }, "value"],
    ["a text that folds to nothing", { field: "name", op: "contains", value: "\u200b" }, "value"],
    ["an empty list", { field: "name", op: "in", value: [] }, "value"],
    ["no list", { field: "tags", op: "has_any", value: "vip" }, "value"],
    ["a number as text", { field: "custom_fields.score", op: "gt", value: "3" }, "value"],
    ["a number that is none", { field: "custom_fields.score", op: "gt", value: Infinity }, "value"],
    ["a range upside down", { field: "custom_fields.score", op: "between", value: [5, 1] }, "value"],
    ["a range of one", { field: "custom_fields.score", op: "between", value: [5] }, "value"],
    [
      "a range of days upside down",
      { field: "created_at", op: "between", value: ["2026-02-01", "2026-01-31"] },
      "value",
    ],
    ["a day that does not exist", { field: "created_at", op: "eq", value: "2026-02-30" }, "value"],
    ["a time without offset", { field: "created_at", op: "eq", value: "2026-02-03T10:00:00" }, "value"],
    ["no days", { field: "created_at", op: "within_days", value: 0 }, "value"],
    ["half days", { field: "created_at", op: "within_days", value: 1.5 }, "value"],
    ["more than ten years of days", { field: "created_at", op: "within_days", value: 3651 }, "value"],
    ["letters in a phone", { field: "phone", op: "contains", value: "call me" }, "value"],
    ["a number nobody has", { field: "phone", op: "eq", value: "12" }, "value"],
    ["an operator of another type", { field: "is_unsubscribed", op: "contains", value: "x" }, "op"],
    ["contains on tags", { field: "tags", op: "contains", value: "vip" }, "op"],
    ["archived contacts, which are in no segment", { field: "is_archived", op: "eq", value: true }, "field"],
    ["a name every object has", { field: "constructor", op: "is_set" }, "field"],
  ])("A submitted filter is rejected with %s", (_, condition, at) => {
    expect(faultsOf(all(condition)).map(({ path }) => path)).toEqual([`filter.conditions.0.${at}`]);
  });

  it("A group in a submitted filter must have match and conditions, and no other fields", () => {
    const leaf = { field: "name", op: "is_set" };
    expect(faultsOf(all({ match: "any" })).map(({ path }) => path)).toEqual(["filter.conditions.0.conditions"]);
    expect(faultsOf(all({ conditions: [leaf] })).map(({ path }) => path)).toEqual(["filter.conditions.0.match"]);
    const mixed = { match: "any", conditions: [leaf], field: "name" } as const;
    expect(faultsOf(all({ ...mixed, conditions: [leaf] })).map(({ path }) => path)).toEqual([
      "filter.conditions.0.field",
    ]);
  });

  it("A submitted filter can have at most one group, and twenty conditions in total", () => {
    const leaf = { field: "name", op: "is_set" };
    const group = { match: "any" as const, conditions: [leaf] };
    expect(faultsOf(all(group, group)).map(({ path }) => path)).toEqual(["filter.conditions.1"]);
    const many = all(...Array.from({ length: 19 }, () => leaf), { match: "any", conditions: [leaf, leaf] });
    expect(faultsOf(many).map(({ path }) => path)).toEqual(["filter.conditions"]);
  });
});

describe("Stored filters", () => {
  const filter = stored(
    all(
      { field: "tags", op: "has_none", value: ["VIP"] },
      { match: "any", conditions: [{ field: "custom_fields.plan", op: "ne", value: "gold" }] },
    ),
  );

  it("A stored filter is returned with the current names of its tags, and is accepted when it is sent back", () => {
    const renamed = { number: 3, name: "Best" };
    const surviving = { tags: [renamed], fields };
    const shown = describeFilter(filter, surviving);
    expect(findInvalidReasons(filter, surviving)).toEqual([]);
    expect(shown.conditions[0]).toEqual({ field: "tags", op: "has_none", value: ["Best"] });
    expect(readFilter(shown, { ...names, tag: () => renamed }).stored?.conditions).toEqual(filter.conditions);
  });

  it("A stored filter is invalid after its tag and custom field are deleted, and keeps their last names", () => {
    const nothing = { tags: [], fields: [] };
    expect(describeFilter(filter, nothing)).toEqual({
      match: "all",
      conditions: [
        { field: "tags", op: "has_none", value: ["VIP"] },
        { match: "any", conditions: [{ field: "custom_fields.plan", op: "ne", value: "gold" }] },
      ],
    });
    expect(findInvalidReasons(filter, nothing).map(({ path, code }) => [path, code])).toEqual([
      ["filter.conditions.0.value", "tag_deleted"],
      ["filter.conditions.1.conditions.0.field", "field_deleted"],
    ]);
  });

  it("A stored filter is invalid after its option is removed", () => {
    const reasons = findInvalidReasons(filter, { tags: [vip], fields: [{ ...plan, options: ["tin"] }] });
    expect(reasons).toMatchObject([{ path: "filter.conditions.1.conditions.0.value", code: "option_removed" }]);
  });
});
