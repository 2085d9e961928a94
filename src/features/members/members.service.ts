import * as z from "zod";
import type { Role } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import * as invitations from "./invitations.sql.ts";
import * as repository from "./members.sql.ts";
import { type InvitationRecord, invitationRecord, type MemberRecord, memberRecord } from "./members.schemas.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";

const INVITATION_MS = 7 * DAY_MS;

/** One beyond `limit` where there are more. */
export async function listMembers(ctx: Ctx, limit: number, after?: string): Promise<MemberRecord[]> {
  return z.array(memberRecord).parse(await repository.list(ctx, limit, after));
}

function judge({ member, done }: repository.Outcome): MemberRecord {
  if (member === undefined) throw notFound("member");
  if (done) return memberRecord.parse(member);
  const message = "A workspace needs an owner, and this is the last one. Make somebody else an owner first.";
  throw new AppError("invalid_state", message, { status: "last_owner" });
}

/** Holds for their next request. Throws `not_found`, and `invalid_state` for the last owner. */
export async function changeRole(ctx: Ctx, userId: string, role: Role): Promise<MemberRecord> {
  return judge(await repository.setRole(ctx, userId, role));
}

/** Ends a membership; the user stays one elsewhere. Throws `not_found`, and `invalid_state` for the last owner. */
export async function removeMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  return judge(await repository.remove(ctx, userId));
}

/**
 * Says, for the operator, that a member is the person of their email: they get the workspaces of all users of it, whose
 * passwords and sessions end. Throws `not_found`.
 */
export async function confirmMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  const row = await repository.confirm(ctx, userId);
  if (row === undefined) throw notFound("member");
  return memberRecord.parse(row);
}

/** Those not accepted, newest first, one beyond `limit` where there are more. */
export async function listInvitations(ctx: Ctx, limit: number, before?: string): Promise<InvitationRecord[]> {
  return z.array(invitationRecord).parse(await invitations.list(ctx, limit, before));
}

/**
 * Invites an email, in place of an open invitation of it; `path` is where its link leads, and is known only now.
 * Throws `conflict` when the email is a member's.
 */
export async function inviteMember(ctx: Ctx, { email, role }: { email: string; role: Role }) {
  const member = memberRecord.safeParse(await repository.findByEmail(ctx, email)).data;
  if (member !== undefined) {
    throw new AppError("conflict", "This email belongs to a member already. Change their role instead.", {
      field: "email",
      user_id: member.user_id,
    });
  }
  const secret = mintLinkSecret();
  const invitation = { id: ctx.newId("inv"), email, role, expiresAt: ctx.now() + INVITATION_MS };
  await invitations.replace(ctx, { ...invitation, hash: await sha256Hex(secret) });
  return { ...invitation, path: linkPath("invitations", secret) };
}

/** Its link leads nowhere any more. Throws `not_found`, also once it has been accepted. */
export async function revokeInvitation(ctx: Ctx, id: string): Promise<InvitationRecord> {
  const row = await invitations.remove(ctx, id);
  if (row === undefined) throw notFound("invitation");
  return invitationRecord.parse(row);
}
