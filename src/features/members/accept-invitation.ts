import type { Role } from "../../shared/actor.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { acceptInvitation, acceptInvitationAsNewUser, findInvitationByHash } from "./invitations.sql.ts";
import { hashPassword } from "./members.passwords.ts";
import type { Session } from "./members.schemas.ts";
import { findSessionByToken, type Origin, limitAttempts, type SignedIn, signIn, startSession } from "./sign-in.ts";

/** An invitation as its link shows it. It does not say whether the email has a user: the holder of the link need not know. */
export interface OpenInvitation {
  email: string;
  role: Role;
  workspaceId: string;
  workspaceName: string;
}

/** Throws `not_found` for a link that was never given out, was replaced or revoked; `invalid_state` for one used or expired. */
export async function readInvitation(ctx: BaseCtx, secret: string): Promise<OpenInvitation> {
  const invitation = await findInvitationByHash(ctx, await sha256Hex(secret));
  if (invitation === undefined) throw notFound("invitation");
  const { acceptedAt, expiresAt, ...open } = invitation;
  if (acceptedAt !== null)
    throw new AppError("invalid_state", "This invitation has been accepted already. Sign in instead.", {
      status: "accepted",
    });
  if (expiresAt <= ctx.now())
    throw new AppError("invalid_state", "This invitation has expired. Ask for a new one.", { status: "expired" });
  return open;
}

/** The refusal of an invitation that was open a moment ago. */
async function explainRefusal(ctx: BaseCtx, secret: string): Promise<AppError> {
  await readInvitation(ctx, secret);
  return new AppError("conflict", "This email belongs to a member of the workspace already. Sign in instead.", {
    field: "email",
  });
}

/** Makes a user who is signed in a member. Throws `forbidden` when the invitation is somebody else's, and what `readInvitation` throws. */
export async function joinWorkspace(ctx: BaseCtx, secret: string, { user }: Session): Promise<OpenInvitation> {
  const invitation = await readInvitation(ctx, secret);
  const { email } = invitation;
  if (email !== user.email) {
    const message = `This invitation is for ${email}, and you are signed in as ${user.email}. Sign out first.`;
    throw new AppError("forbidden", message);
  }
  if (!(await acceptInvitation(ctx, await sha256Hex(secret), user.id))) throw await explainRefusal(ctx, secret);
  return invitation;
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
  if (session === null) throw await explainRefusal(ctx, secret);
  return { invitation: await joinWorkspace(ctx, secret, session), signedIn };
}

/**
 * Makes a user of its own with this password, whose only workspace is this one, whatever other users the email has: opening
 * the link does not show that somebody is the person of the email. Throws what `readInvitation` throws.
 */
export async function joinAsNew(
  ctx: BaseCtx,
  secret: string,
  { name, password }: { name: string; password: string },
  origin: Origin,
): Promise<Joined> {
  await limitAttempts(origin);
  const invitation = await readInvitation(ctx, secret);
  const user = { id: ctx.newId("usr"), name, passwordHash: await hashPassword(password, ctx) };
  if (!(await acceptInvitationAsNewUser(ctx, await sha256Hex(secret), user))) throw await explainRefusal(ctx, secret);
  return { invitation, signedIn: await startSession(ctx, user.id, origin) };
}
