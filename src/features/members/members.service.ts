import { transact } from "../../db/statement.ts";
import type { Role } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { checkOpenPages } from "./check-open-pages.ts";
import { deleteInvitation, replaceInvitation, selectInvitations } from "./invitations.sql.ts";
import {
  deleteMember,
  findMemberByEmail,
  markConfirmed,
  type MemberChange,
  selectMember,
  selectMembers,
  updateRole,
} from "./members.sql.ts";
import type { InvitationRecord, MemberRecord } from "./members.schemas.ts";
import { markMemberRemoved, type NamedMember } from "./member-names.sql.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";

const INVITATION_MS = 7 * DAY_MS;

/** One beyond `limit` where there are more. */
export const listMembers = async (ctx: Ctx, limit: number, after?: string): Promise<MemberRecord[]> =>
  selectMembers(ctx, limit, after);

/** The member with this id, or undefined. */
export async function findMember(ctx: Ctx, userId: string): Promise<NamedMember | undefined> {
  const [member] = await selectMember(ctx, userId);
  return member === undefined ? undefined : { id: member.user_id, name: member.name };
}

function requireDone({ member, isDone }: MemberChange): MemberRecord {
  if (member === undefined) throw notFound("member");
  if (isDone) return member;
  const message = "A workspace needs an owner, and this is the last one. Make somebody else an owner first.";
  throw new AppError("invalid_state", message, { status: "last_owner" });
}

/**
 * Holds for their next request, and for the pages they have open. Throws `not_found`, `invalid_state` for the last owner, and
 * `precondition_failed` where somebody else has changed the role since it was `shown`.
 */
export async function changeRole(ctx: Ctx, userId: string, role: Role, shown?: Role): Promise<MemberRecord> {
  const member = requireDone(await updateRole(ctx, userId, role, shown));
  checkOpenPages(ctx, [ctx.workspace.id]);
  return member;
}

/**
 * Ends a membership; the user stays one elsewhere. A job then takes off them what is assigned to them: it is asked for first, since
 * the membership is in another database, and looks whether it has ended. Throws `not_found`, and `invalid_state` for the last owner.
 */
export async function removeMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  const named = await findMember(ctx, userId);
  if (named === undefined) throw notFound("member");
  await transact(ctx.db, { mark: markMemberRemoved(ctx, named) });
  const member = requireDone(await deleteMember(ctx, userId));
  checkOpenPages(ctx, [ctx.workspace.id]);
  return member;
}

/**
 * Says, for the operator, that a member is the person of their email: they get the workspaces of all users of it, whose
 * passwords and sessions end. Throws `not_found`.
 */
export async function confirmMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  const member = await markConfirmed(ctx, userId);
  if (member === undefined) throw notFound("member");
  return member;
}

/** Invitations not accepted yet, newest first, one beyond `limit` where there are more. */
export const listInvitations = async (ctx: Ctx, limit: number, before?: string): Promise<InvitationRecord[]> =>
  selectInvitations(ctx, limit, before);

/**
 * Invites an email, in place of an open invitation of it; `path` is where its link leads, and is known only now.
 * Throws `conflict` when the email is a member's.
 */
export async function inviteMember(ctx: Ctx, { email, role }: { email: string; role: Role }) {
  const member = await findMemberByEmail(ctx, email);
  if (member !== undefined) {
    throw new AppError("conflict", "This email belongs to a member already. Change their role instead.", {
      field: "email",
      user_id: member.user_id,
    });
  }
  const secret = mintLinkSecret();
  const invitation = { id: ctx.newId("inv"), email, role, expiresAt: ctx.now() + INVITATION_MS };
  await replaceInvitation(ctx, { ...invitation, hash: await sha256Hex(secret) });
  return { ...invitation, path: linkPath("invitations", secret) };
}

/** Its link leads nowhere any more. Throws `not_found`, also once it has been accepted. */
export async function revokeInvitation(ctx: Ctx, id: string): Promise<InvitationRecord> {
  const invitation = await deleteInvitation(ctx, id);
  if (invitation === undefined) throw notFound("invitation");
  return invitation;
}
