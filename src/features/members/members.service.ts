import type { Role } from "../../shared/access/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { checkOpenPages } from "./check-open-pages.ts";
import { deleteInvitation, deleteOpenInvitation, insertInvitation, selectInvitations } from "./invitations.sql.ts";
import { markMemberRemoved, type NamedMember, renameMember } from "./member-names.sql.ts";
import { changeMemberRole, emailHeldError, findLastOwnerFault } from "./members.changes.ts";
import type { InvitationRecord, MemberRecord, Session } from "./members.schemas.ts";
import {
  deleteMember,
  selectMember,
  selectMemberByEmail,
  selectMembers,
  selectOtherOwner,
  selectOthersOfEmail,
  updateConfirmed,
  updateRole,
} from "./members.sql.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";
import { mergeUsers, updateUserName } from "./access/users.sql.ts";

const INVITATION_MS = 7 * DAY_MS;

/** One beyond `limit` where there are more. */
export const listMembers = async (ctx: Ctx, limit: number, after?: string): Promise<MemberRecord[]> =>
  selectMembers(ctx, limit, after);

/** The member with this id, or undefined. */
export async function findMember(ctx: Ctx, userId: string): Promise<NamedMember | undefined> {
  const [member] = await selectMember(ctx, userId);
  return member === undefined ? undefined : { id: member.user_id, name: member.name };
}

/**
 * Holds for their next request, and for the pages they have open. Throws `not_found`, `invalid_state` for the last owner, and
 * `precondition_failed` if somebody else has changed the role since a form was `rendered`.
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
  checkOpenPages(ctx, [ctx.workspace.id]);
  return member;
}

/** Ends a membership; the user stays one elsewhere. Throws `not_found`, and `invalid_state` for the last owner. */
export async function removeMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  const member: MemberRecord = await decideAndCommit(ctx, {
    database: "control",
    reads: { members: selectMember(ctx, userId), otherOwners: selectOtherOwner(ctx, userId) },
    async decide({ members: [stored], otherOwners }) {
      if (stored === undefined) return notFound("member");
      const fault = findLastOwnerFault(stored, otherOwners);
      if (fault !== null) return fault;
      // In another database, so before the commit: the job that unassigns a marked member looks whether the membership has ended.
      await markMemberRemoved(ctx, { id: userId, name: stored.name });
      return { writes: [deleteMember(ctx, userId)], events: [], answer: stored };
    },
  });
  checkOpenPages(ctx, [ctx.workspace.id]);
  return member;
}

/**
 * Says, for the operator, that a member is the person of their email: they get the workspaces of all users of it, whose
 * passwords and sessions end. Throws `not_found`.
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

/** Invitations not accepted yet, newest first, one beyond `limit` where there are more. */
export const listInvitations = async (ctx: Ctx, limit: number, before?: string): Promise<InvitationRecord[]> =>
  selectInvitations(ctx, limit, before);

/**
 * Invites an email, in place of an open invitation of it; `path` is where its link leads, and is known only now.
 * Throws `conflict` when the email is a member's.
 */
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
        : emailHeldError(holder.userId),
  });
  return { ...invitation, path: linkPath("invitations", secret) };
}

/** Its link leads nowhere any more. Throws `not_found`, also once it has been accepted. */
export const revokeInvitation = async (ctx: Ctx, id: string): Promise<InvitationRecord> =>
  requireRow(await deleteInvitation(ctx, id), "invitation");

/** Changes the name that colleagues see of a person, in all of their workspaces, also beside what is theirs already. */
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
