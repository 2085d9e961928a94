import { expect, test } from "vitest";
import { changeTag } from "../../src/features/tags/tags.changes.ts";

const tag = { id: "tag_1", name: "VIP", color: "#111111", created_at: 5 };

test("A change to a tag keeps fields that the request does not contain", () => {
  expect(changeTag(tag, undefined, { color: "#222222" }, {})).toEqual({ ...tag, color: "#222222" });
  expect(changeTag(tag, undefined, { name: "Regular" }, {})).toEqual({ ...tag, name: "Regular" });
});

test("A tag cannot have the name of another tag, but can keep its own name", () => {
  expect(changeTag(tag, { id: "tag_2" }, { name: "Regular" }, {})).toMatchObject({
    code: "conflict",
    details: { field: "name", tag_id: "tag_2" },
  });
  expect(changeTag(tag, { id: "tag_1" }, { name: "vip" }, {})).toEqual({ ...tag, name: "vip" });
});

test("A tag form is rejected if another member changed the same field, unless both values are equal", () => {
  const submitted = { name: "New", color: tag.color };
  expect(changeTag(tag, undefined, submitted, { name: "Old", color: tag.color })).toMatchObject({
    code: "precondition_failed",
  });
  expect(changeTag({ ...tag, name: "New" }, undefined, submitted, { name: "Old", color: tag.color })).toMatchObject({
    name: "New",
  });
});
