import { expect, test } from "vitest";
import {
  findNewViewFault,
  findViewActorFault,
  mayChangeView,
  renamedView,
} from "../../src/features/contact-views/contact-views.changes.ts";
import type { Actor, Role } from "../../src/shared/access/actor.ts";

const member = (userId: string, role: Role): Actor => ({ type: "member", userId, role, connectionId: null });
const view = { id: "view_1", name: "Leads", query: "status=hot", created_by: "usr_1" };

test("Only admins and the author can change a saved view", () => {
  expect(mayChangeView(member("usr_1", "agent"), view)).toBe(true);
  expect(mayChangeView(member("usr_2", "admin"), view)).toBe(true);
  expect(findViewActorFault(member("usr_2", "agent"), view)).toMatchObject({ code: "forbidden" });
});

test("A saved view cannot have the name of another view, but the case of its own name can change", () => {
  const owner = member("usr_1", "agent");
  expect(renamedView(owner, view, { id: "view_2" }, "Other")).toMatchObject({ code: "conflict" });
  expect(renamedView(owner, view, { id: "view_1" }, "LEADS")).toEqual({ ...view, name: "LEADS" });
  expect(renamedView(member("usr_2", "agent"), view, { id: "view_2" }, "Other")).toMatchObject({ code: "forbidden" });
});

test("A new view is rejected if its name is in use or if the maximum number of views exists", () => {
  expect(findNewViewFault({ id: "view_2" }, undefined)).toMatchObject({ details: { field: "name" } });
  expect(findNewViewFault(undefined, { id: "view_50" })).toMatchObject({ code: "conflict", details: null });
  expect(findNewViewFault(undefined, undefined)).toBeNull();
});
