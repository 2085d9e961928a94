import { expect, test } from "vitest";
import { changeWorkspace, findDeletionFault } from "../../src/features/workspaces/workspaces.changes.ts";

const workspace = { name: "Acme", plan: "growth" as const, timeZone: "Europe/Berlin", stepsHiddenAt: null };

test("A change to a workspace keeps fields that the request does not contain, and stores the current spelling of the time zone", () => {
  expect(changeWorkspace(workspace, { plan: "scale" }, {}, 5)).toEqual({ ...workspace, plan: "scale" });
  expect(changeWorkspace(workspace, { timeZone: "europe/kiev" }, {}, 5)).toMatchObject({ timeZone: "Europe/Kyiv" });
});

test("The first steps of a workspace can be hidden and shown again", () => {
  expect(changeWorkspace(workspace, { areStepsHidden: true }, {}, 5)).toMatchObject({ stepsHiddenAt: 5 });
  expect(changeWorkspace({ ...workspace, stepsHiddenAt: 5 }, { areStepsHidden: false }, {}, 6)).toEqual(workspace);
});

test("A workspace form is rejected if another member changed a field that the form changes", () => {
  const rendered = { name: "Old", timeZone: "Europe/Berlin" };
  expect(changeWorkspace(workspace, { name: "New" }, rendered, 5)).toMatchObject({ code: "precondition_failed" });
  expect(changeWorkspace(workspace, { timeZone: "UTC" }, rendered, 5)).toMatchObject({ timeZone: "UTC" });
});

test("A connection can be deleted only if it has no active keys and no unfinished campaigns", () => {
  expect(findDeletionFault("key_1", "camp_1")?.details).toEqual({ field: "connection_id", api_key_id: "key_1" });
  expect(findDeletionFault(null, "camp_1")?.details).toEqual({ field: "connection_id", campaign_id: "camp_1" });
  expect(findDeletionFault(null, null)).toBeNull();
});
