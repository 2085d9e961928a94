import type { Role } from "../../../shared/access/actor.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { decideOutsideWorkspaces } from "../../commits/decide-and-commit.ts";
import {
  acceptInvitation,
  selectAbandonedUsers,
  selectInvitationByHash,
  selectInvitedMember,
} from "../invitations.sql.ts";
import { findInvitationFault, findInviteeFault, inviteeIsMemberError } from "../members.changes.ts";
import { hashPassword } from "../members.passwords.ts";
import type { Session } from "../members.schemas.ts";
import { findSessionByToken, type Origin, limitAttempts, type SignedIn, signIn, startSession } from "./sign-in.ts";
import { deleteUsers, insertUser, selectUser } from "./users.sql.ts";

/** An invitation as its link shows it. It does not say whether the email has a user: the holder of the link need not know. */
export interface OpenInvitation {
  email: string;
  role: Role;
  workspaceId: string;
  workspaceName: string;
}

type StoredInvitation = Awaited<ReturnType<typeof selectInvitationByHash>>[number];

/** Returns the invitation, or why its link does not work. */
function openInvitation(ctx: BaseCtx, invitation: StoredInvitation | undefined): OpenInvitation | AppError {
  if (invitation === undefined) return notFound("invitation");
  const { email, role, workspaceId, workspaceName } = invitation;
  return findInvitationFault(invitation, ctx.now()) ?? { email, role, workspaceId, workspaceName };
}

/** Throws `not_found` for a link that was never given out, was replaced or revoked; `invalid_state` for one used or expired. */
export async function readInvitation(ctx: BaseCtx, secret: string): Promise<OpenInvitation> {
  const [invitation] = await selectInvitationByHash(ctx, await sha256Hex(secret));
  const open = openInvitation(ctx, invitation);
  if (open instanceof AppError) throw open;
  return open;
}

/** Makes a user who is signed in a member. Throws `forbidden` when the invitation is somebody else's, and what `readInvitation` throws. */
export async function joinWorkspace(ctx: BaseCtx, secret: string, { user }: Session): Promise<OpenInvitation> {
  const hash = await sha256Hex(secret);
  return decideOutsideWorkspaces(ctx, {
    reads: {
      invitations: selectInvitationByHash(ctx, hash),
      members: selectInvitedMember(ctx, hash),
      users: selectUser(ctx, user.id),
    },
    decide(facts) {
      const invitation = openInvitation(ctx, facts.invitations[0]);
      if (invitation instanceof AppError) return invitation;
      const fault = findInviteeFault(invitation, user);
      if (fault !== null) return fault;
      const isOthers = facts.members.some(({ userId }) => userId !== user.id);
      // The user is gone if they were merged into another user of the email.
      if (isOthers || facts.users.length === 0) return inviteeIsMemberError();
      const { workspaceId, role } = invitation;
      return {
        writes: acceptInvitation(ctx, hash, { workspaceId, userId: user.id, role }),
        events: [],
        answer: invitation,
      };
    },
  });
}

/** An invitation that was accepted without a session, and the session that this opened. */
interface Joined {
  invitation: OpenInvitation;
  signedIn: SignedIn;
}

/**
 * Makes somebody who has a password a member. They have shown both the link and the password, so that from now on the
 * password opens this workspace too. Throws what `signIn` and `readInvitation` throw.
 */
export async function joinWithPassword(
  ctx: BaseCtx,
  secret: string,
  password: string,
  origin: Origin,
): Promise<Joined> {
  await limitAttempts(origin);
  const { email } = await readInvitation(ctx, secret);
  const signedIn = await signIn(ctx, { email, password }, origin);
  const session = await findSessionByToken(ctx, signedIn.token);
  if (session === null) throw inviteeIsMemberError();
  return { invitation: await joinWorkspace(ctx, secret, session), signedIn };
}

/**
 * Makes a user of its own with this password, whose only workspace is this one, whatever other users the email has: opening
 * the link does not show that somebody is the person of the email. Users of the email who belong to no workspace go, unless they are
 * confirmed: inviting and removing somebody again and again must not fill the list of passwords that signing in compares. Throws what
 * `readInvitation` throws.
 */
export async function joinAsNew(
  ctx: BaseCtx,
  secret: string,
  { name, password }: { name: string; password: string },
  origin: Origin,
): Promise<Joined> {
  await limitAttempts(origin);
  const hash = await sha256Hex(secret);
  const user = { id: ctx.newId("usr"), name, passwordHash: await hashPassword(password, ctx) };
  const invitation: OpenInvitation = await decideOutsideWorkspaces(ctx, {
    reads: {
      invitations: selectInvitationByHash(ctx, hash),
      members: selectInvitedMember(ctx, hash),
      abandoned: selectAbandonedUsers(ctx, hash),
    },
    decide(facts) {
      const open = openInvitation(ctx, facts.invitations[0]);
      if (open instanceof AppError) return open;
      if (facts.members.length > 0) return inviteeIsMemberError();
      const { email, workspaceId, role } = open;
      const writes = [
        ...deleteUsers(
          ctx,
          facts.abandoned.map(({ id }) => id),
        ),
        ...insertUser(ctx, { ...user, email }),
        ...acceptInvitation(ctx, hash, { workspaceId, userId: user.id, role }),
      ];
      return { writes, events: [], answer: open };
    },
  });
  return { invitation, signedIn: await startSession(ctx, user.id, origin) };
}
