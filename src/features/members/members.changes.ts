import type { Role } from "../../shared/access/actor.ts";
import { findFormConflict } from "../../shared/edit-conflicts.ts";
import { AppError, notFound } from "../../shared/errors.ts";

interface ChangeableMember {
  role: Role;
}

type Rows = readonly unknown[];

export const findLastOwnerFault = ({ role }: ChangeableMember, otherOwners: Rows): AppError | null =>
  role !== "owner" || otherOwners.length > 0
    ? null
    : new AppError("invalid_state", "This is the last owner of the workspace. Make another member an owner first.", {
        status: "last_owner",
      });

export function changeMemberRole<M extends ChangeableMember>(
  member: M,
  otherOwners: Rows,
  role: Role,
  rendered: Role | undefined,
): M | AppError {
  const conflict = findFormConflict(member, { role }, { role: rendered });
  return conflict ?? (role === "owner" ? null : findLastOwnerFault(member, otherOwners)) ?? { ...member, role };
}

export const emailOfMemberError = (userId: string): AppError =>
  new AppError("conflict", "This email already belongs to a member. Change their role instead.", {
    field: "email",
    user_id: userId,
  });

export function findInvitationFault(
  { acceptedAt, expiresAt }: { acceptedAt: number | null; expiresAt: number },
  now: number,
): AppError | null {
  if (acceptedAt !== null)
    return new AppError("invalid_state", "This invitation was already accepted. Sign in instead.", {
      status: "accepted",
    });
  if (expiresAt > now) return null;
  return new AppError("invalid_state", "This invitation has expired. Ask for a new one.", { status: "expired" });
}

export const findInviteeFault = (invitation: { email: string }, user: { email: string }): AppError | null =>
  invitation.email === user.email
    ? null
    : new AppError(
        "forbidden",
        `This invitation is for ${invitation.email}, and you are signed in as ${user.email}. Sign out first.`,
      );

export const inviteeIsMemberError = (): AppError =>
  new AppError("conflict", "This email already belongs to a member of the workspace. Sign in instead.", {
    field: "email",
  });

/**
 * Returns null if `madeBy` may create the reset link; for the operator, `madeBy` is null. Only the operator may create
 * a link for a person in several workspaces, because the password opens all of them.
 */
export const findResetterFault = (madeBy: string | null, otherMemberships: Rows): AppError | null =>
  madeBy === null || otherMemberships.length === 0
    ? null
    : new AppError(
        "forbidden",
        "This person also belongs to other workspaces. Only the operator of this service can create this link.",
      );

interface ResetLink {
  workspaceId: string;
  madeBy: string | null;
  expiresAt: number;
  usedAt: number | null;
}

/**
 * A link also ends when its creator may not create it any more. `makers` are the creator's roles in the workspace, and
 * `memberships` are the user's workspaces.
 */
export function openResetLink<L extends ResetLink>(
  link: L | undefined,
  makers: readonly { role: Role }[],
  memberships: readonly { workspaceId: string }[],
  now: number,
): L | AppError {
  if (link === undefined) return notFound("reset link");
  if (link.usedAt !== null)
    return new AppError("invalid_state", "This link was already used. Ask for a new one.", { status: "used" });
  const isBacked =
    link.madeBy === null ||
    (makers.some(({ role }) => role === "owner") &&
      memberships.length === 1 &&
      memberships[0]?.workspaceId === link.workspaceId);
  if (link.expiresAt > now && isBacked) return link;
  return new AppError("invalid_state", "This link has expired. Ask for a new one.", { status: "expired" });
}
