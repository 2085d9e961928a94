import { expect, test } from "vitest";
import { changeSegment, type NamedInFilter, resolveFilter } from "../../src/features/segments/segments.changes.ts";
import { fieldKeysIn, type SentFilter } from "../../src/features/segments/segments.reading.ts";

const sent: SentFilter = {
  match: "all",
  conditions: [
    { field: "tags", op: "has_any", value: ["vip"] },
    { match: "any", conditions: [{ field: "custom_fields.plan", op: "eq", value: "pro" }] },
  ],
};
const plan = { number: 7, key: "plan", type: "select" as const, options: ["pro"], removed: [] };
const named: NamedInFilter = { tags: [{ number: 3, name: "VIP", name_key: "vip" }], fields: [plan] };

test("The custom fields of a segment's filter include the fields in a group", () => {
  expect(fieldKeysIn(sent)).toEqual(["plan"]);
});

test("A segment's filter is stored with the numbers and current names of its tags and fields", () => {
  expect(resolveFilter(sent, named)).toMatchObject({
    filter: { conditions: [{ value: [3] }, { conditions: [{ field: 7 }] }], fields: [{ number: 7, key: "plan" }] },
    tags: [{ number: 3, name: "VIP" }],
    fields: [plan],
  });
});

test("A segment's filter with unknown tags and fields is rejected with all errors", () => {
  expect(resolveFilter(sent, { tags: [], fields: [] })).toMatchObject({
    code: "validation_failed",
    details: [{ code: "unknown_tag" }, { code: "unknown_field" }],
  });
});

test("A segment gets a new revision only if its name or filter changes", () => {
  const resolved = resolveFilter(sent, named);
  if (resolved instanceof Error) throw resolved;
  const segment = { id: "seg_1", name: "Leads", ...resolved, created_at: 5, updated_at: 5, revision: 3 };
  expect(changeSegment(segment, { name: "Leads", resolved }, 9)).toEqual(segment);
  expect(changeSegment(segment, { name: "Warm", resolved: undefined }, 9)).toEqual({
    ...segment,
    name: "Warm",
    updated_at: 9,
    revision: 4,
  });
});
