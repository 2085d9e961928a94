import { expect, test } from "vitest";
import {
  changeCustomField,
  findNewFieldFault,
  type FieldChange,
} from "../../src/features/custom-fields/custom-fields.changes.ts";
import type { CustomFieldRecord } from "../../src/features/custom-fields/custom-fields.schemas.ts";

const text: CustomFieldRecord = {
  id: "cf_1",
  number: 1,
  field_key: "note",
  label: "Note",
  type: "text",
  options: [],
  removed_options: [],
  created_at: 5,
};
const select: CustomFieldRecord = {
  ...text,
  field_key: "plan",
  type: "select",
  options: ["a", "b"],
  removed_options: ["z"],
};

const faultsOf = (field: CustomFieldRecord, change: FieldChange) => changeCustomField(field, change, {});

test("An option that is removed from a custom field is added to the removed options whose values are not cleared yet", () => {
  expect(faultsOf(select, { options: ["b", "c"] })).toEqual({
    ...select,
    options: ["b", "c"],
    removed_options: ["z", "a"],
  });
  expect(faultsOf(select, { label: "Current plan" })).toEqual({ ...select, label: "Current plan" });
});

test("An option of a custom field cannot be added again until its values are cleared", () => {
  expect(faultsOf(select, { options: ["a", "z"] })).toMatchObject({
    code: "invalid_state",
    details: { status: "clearing", options: ["z"] },
  });
});

test("Key and type of a custom field can be sent with their stored values, but cannot change", () => {
  expect(faultsOf(text, { fieldKey: "note", type: "text" })).toEqual(text);
  expect(faultsOf(text, { fieldKey: "plan", type: "url" })).toMatchObject({
    code: "validation_failed",
    details: [
      { path: "field_key", code: "read_only" },
      { path: "type", code: "read_only" },
    ],
  });
});

test("Only custom fields of select types have options", () => {
  expect(faultsOf(select, { options: null })).toMatchObject({ details: [{ path: "options", code: "required" }] });
  expect(faultsOf(text, { options: null })).toEqual(text);
  expect(faultsOf(text, { options: ["a"] })).toMatchObject({ details: [{ path: "options", code: "invalid_value" }] });
});

test("A custom field form is rejected if another member changed the options, unless both members set the same options", () => {
  const submitted = { options: ["a", "c"] };
  expect(changeCustomField(select, submitted, { options: ["a"] })).toMatchObject({ code: "precondition_failed" });
  expect(changeCustomField(select, submitted, { options: ["a", "b"] })).toMatchObject(submitted);
  expect(changeCustomField({ ...select, ...submitted }, submitted, { options: ["a"] })).toMatchObject(submitted);
});

test("If a new custom field exceeds the maximum and its key is in use, the error is about the key", () => {
  expect(findNewFieldFault({ id: "cf_2" }, { id: "cf_3" })).toMatchObject({
    code: "conflict",
    details: { custom_field_id: "cf_2" },
  });
  expect(findNewFieldFault(undefined, { id: "cf_3" })).toMatchObject({ code: "invalid_state" });
  expect(findNewFieldFault(undefined, undefined)).toBeNull();
});
