import { expect, test } from "vitest";
import {
  changeMemberRole,
  findInvitationFault,
  findInviteeFault,
  findLastOwnerFault,
  findResetterFault,
  openResetLink,
} from "../../src/features/members/members.changes.ts";
import { AppError } from "../../src/shared/errors.ts";

const owner = { id: "usr_1", role: "owner" as const };
const others = [{ userId: "usr_2" }];

test("The last owner of a workspace cannot be removed or changed", () => {
  expect(findLastOwnerFault(owner, [])).toMatchObject({ code: "invalid_state", details: { status: "last_owner" } });
  expect(changeMemberRole(owner, [], "admin", undefined)).toMatchObject({ code: "invalid_state" });
  expect(changeMemberRole(owner, [], "owner", undefined)).toEqual(owner);
  expect(changeMemberRole(owner, others, "admin", undefined)).toEqual({ ...owner, role: "admin" });
  expect(findLastOwnerFault({ role: "agent" }, [])).toBeNull();
});

test("A form with an outdated role of a member is rejected, unless the member already has the new role", () => {
  const agent = { id: "usr_1", role: "agent" as const };
  expect(changeMemberRole(agent, others, "admin", "owner")).toMatchObject({ code: "precondition_failed" });
  expect(changeMemberRole(agent, others, "agent", "owner")).toEqual(agent);
  expect(changeMemberRole(owner, [], "agent", "admin")).toMatchObject({ code: "precondition_failed" });
});

test("An invitation works until it is accepted or expires, and only for the user with its email", () => {
  expect(findInvitationFault({ acceptedAt: null, expiresAt: 10 }, 9)).toBeNull();
  expect(findInvitationFault({ acceptedAt: null, expiresAt: 10 }, 10)?.details).toEqual({ status: "expired" });
  expect(findInvitationFault({ acceptedAt: 3, expiresAt: 10 }, 20)?.details).toEqual({ status: "accepted" });
  expect(findInviteeFault({ email: "a@example.com" }, { email: "a@example.com" })).toBeNull();
  expect(findInviteeFault({ email: "a@example.com" }, { email: "b@example.com" })).toMatchObject({ code: "forbidden" });
});

test("An owner cannot create a reset link for a person who belongs to another workspace, but the operator can", () => {
  const elsewhere = [{ workspaceId: "ws_2" }];
  expect(findResetterFault("usr_1", elsewhere)).toMatchObject({ code: "forbidden" });
  expect(findResetterFault("usr_1", [])).toBeNull();
  expect(findResetterFault(null, elsewhere)).toBeNull();
});

test("A reset link works once, until it expires, and only while its creator could still create it", () => {
  const link = { workspaceId: "ws_1", madeBy: "usr_1", expiresAt: 10, usedAt: null };
  const [makers, home] = [[{ role: "owner" as const }], [{ workspaceId: "ws_1" }]];
  expect(openResetLink(link, makers, home, 9)).toBe(link);
  expect(openResetLink({ ...link, madeBy: null }, [], [], 9)).toMatchObject({ madeBy: null, usedAt: null });
  for (const [opened, status] of [
    [openResetLink({ ...link, usedAt: 3 }, makers, home, 9), "used"],
    [openResetLink(link, makers, home, 10), "expired"],
    [openResetLink(link, [{ role: "admin" }], home, 9), "expired"],
    [openResetLink(link, [], home, 9), "expired"],
    [openResetLink(link, makers, [], 9), "expired"],
    [openResetLink(link, makers, [...home, { workspaceId: "ws_2" }], 9), "expired"],
  ] as const) {
    expect(opened).toBeInstanceOf(AppError);
    expect(opened).toMatchObject({ code: "invalid_state", details: { status } });
  }
  expect(openResetLink(undefined, makers, home, 9)).toMatchObject({ code: "not_found" });
});
