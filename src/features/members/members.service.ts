import type { Role } from "../../shared/access/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { checkOpenPages } from "./access/sign-in.ts";
import {
  deleteInvitation,
  deleteMember,
  deleteOpenInvitation,
  insertInvitation,
  selectInvitations,
  selectMember,
  selectMemberByEmail,
  selectMembers,
  selectOtherOwner,
  selectOthersOfEmail,
  updateConfirmed,
  updateRole,
} from "./members.sql.ts";
import { markMemberRemoved, type NamedMember, renameMember } from "./member-names.sql.ts";
import { changeMemberRole, emailOfMemberError, findLastOwnerFault } from "./members.changes.ts";
import type { InvitationRecord, MemberRecord, Session } from "./members.schemas.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";
import { mergeUsers, updateUserName } from "./access/users.sql.ts";

const INVITATION_MS = 7 * DAY_MS;

export const listMembers = async (ctx: Ctx, limit: number, after?: string): Promise<MemberRecord[]> =>
  selectMembers(ctx, limit, after);

export async function findMember(ctx: Ctx, userId: string): Promise<NamedMember | undefined> {
  const [member] = await selectMember(ctx, userId);
  return member === undefined ? undefined : { id: member.user_id, name: member.name };
}

/**
 * The new role applies to the member's next request and to their open pages. Throws `precondition_failed` if somebody
 * changed the role after the form was rendered.
 */
export async function changeRole(ctx: Ctx, userId: string, role: Role, rendered?: Role): Promise<MemberRecord> {
  const member: MemberRecord = await decideAndCommit(ctx, {
    database: "control",
    reads: { members: selectMember(ctx, userId), otherOwners: selectOtherOwner(ctx, userId) },
    decide({ members: [stored], otherOwners }) {
      if (stored === undefined) return notFound("member");
      const changed = changeMemberRole(stored, otherOwners, role, rendered);
      if (changed instanceof AppError) return changed;
      return { writes: [updateRole(ctx, userId, role)], events: [], answer: changed };
    },
  });
  checkOpenPages(ctx, [ctx.workspace]);
  return member;
}

export async function removeMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  const member: MemberRecord = await decideAndCommit(ctx, {
    database: "control",
    reads: { members: selectMember(ctx, userId), otherOwners: selectOtherOwner(ctx, userId) },
    async decide({ members: [stored], otherOwners }) {
      if (stored === undefined) return notFound("member");
      const fault = findLastOwnerFault(stored, otherOwners);
      if (fault !== null) return fault;
      // The mark is in the shard, so it cannot be part of this commit to the control database. We store it first. If
      // the commit then fails, the mark remains, so the job checks that the membership has really ended.
      await markMemberRemoved(ctx, { id: userId, name: stored.name });
      return { writes: [deleteMember(ctx, userId)], events: [], answer: stored };
    },
  });
  checkOpenPages(ctx, [ctx.workspace]);
  return member;
}

/**
 * For the operator, who confirms that a member owns their email. The member gets the workspaces of all other users with
 * this email, whose passwords and sessions are deleted.
 */
export function confirmMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  return decideAndCommit(ctx, {
    database: "control",
    reads: { members: selectMember(ctx, userId), others: selectOthersOfEmail(ctx, userId) },
    decide({ members: [member], others }) {
      if (member === undefined) return notFound("member");
      const merge = mergeUsers(
        ctx,
        userId,
        others.map(({ id }) => id),
      );
      const answer = { ...member, is_confirmed: true };
      return { writes: [...merge, updateConfirmed(ctx, userId)], events: [], answer };
    },
  });
}

export const listInvitations = async (ctx: Ctx, limit: number, before?: string): Promise<InvitationRecord[]> =>
  selectInvitations(ctx, limit, before);

/** Replaces an open invitation for the same email. Only `path` contains the secret, because we store only its hash. */
export async function inviteMember(ctx: Ctx, { email, role }: { email: string; role: Role }) {
  const secret = mintLinkSecret();
  const invitation = { id: ctx.newId("inv"), email, role, expiresAt: ctx.now() + INVITATION_MS };
  const row = { ...invitation, workspaceId: ctx.workspace.id, hash: await sha256Hex(secret), createdAt: ctx.now() };
  await decideAndCommit(ctx, {
    database: "control",
    reads: { holders: selectMemberByEmail(ctx, email) },
    expectsNothing: true,
    decide: ({ holders: [holder] }) =>
      holder === undefined
        ? { writes: [deleteOpenInvitation(ctx, email), insertInvitation(ctx, row)], events: [], answer: null }
        : emailOfMemberError(holder.userId),
  });
  return { ...invitation, path: linkPath("invitations", secret) };
}

export const revokeInvitation = async (ctx: Ctx, id: string): Promise<InvitationRecord> =>
  requireRow(await deleteInvitation(ctx, id), "invitation");

export async function renameUser(ctx: BaseCtx, { user, memberships }: Session, name: string): Promise<void> {
  await updateUserName(ctx, user.id, name);
  const byShard = Map.groupBy(memberships, ({ shard }) => shard);
  await Promise.all(
    Array.from(byShard, ([shard, own]) => {
      const workspaceIds = own.map(({ id }) => id);
      return renameMember(ctx.shard(shard), workspaceIds, { id: user.id, name });
    }),
  );
}
