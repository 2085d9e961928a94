import type { Role } from "../../../shared/access/actor.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { decideOutsideWorkspaces } from "../../commits/decide-and-commit.ts";
import { acceptInvitation, selectAbandonedUsers, selectInvitationByHash, selectInvitedMember } from "../members.sql.ts";
import { findInvitationFault, findInviteeFault, inviteeIsMemberError } from "../members.changes.ts";
import { hashPassword } from "../members.passwords.ts";
import type { Session } from "../members.schemas.ts";
import { findSessionByToken, type Origin, limitAttempts, type SignedIn, signIn, startSession } from "./sign-in.ts";
import { deleteUsers, insertUser, selectUser } from "./users.sql.ts";

/** Has no field about the invited user, because the holder of the link must not learn whether the email has a user. */
export interface OpenInvitation {
  email: string;
  role: Role;
  workspaceId: string;
  workspaceName: string;
}

type StoredInvitation = Awaited<ReturnType<typeof selectInvitationByHash>>[number];

function openInvitation(ctx: BaseCtx, invitation: StoredInvitation | undefined): OpenInvitation | AppError {
  if (invitation === undefined) return notFound("invitation");
  const { email, role, workspaceId, workspaceName } = invitation;
  return findInvitationFault(invitation, ctx.now()) ?? { email, role, workspaceId, workspaceName };
}

export async function readInvitation(ctx: BaseCtx, secret: string): Promise<OpenInvitation> {
  const [invitation] = await selectInvitationByHash(ctx, await sha256Hex(secret));
  const open = openInvitation(ctx, invitation);
  if (open instanceof AppError) throw open;
  return open;
}

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
      // There is no user if a concurrent merge has deleted the user.
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

interface Joined {
  invitation: OpenInvitation;
  signedIn: SignedIn;
}

/**
 * For an invited person who already has a user. The link and the password together prove that it is the same person, so
 * the existing user joins the workspace.
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
 * Creates a new user even if the email already has one, because the link does not prove that the person owns the email.
 * Deletes unconfirmed users of this email who have no workspace, because sign-in must compare the password with each
 * user of the email.
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
