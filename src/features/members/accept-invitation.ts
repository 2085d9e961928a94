import * as z from "zod";
import { roles } from "../../shared/actor.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { acceptAs, acceptAsNew, findByHash } from "./invitations.repository.ts";
import { hashPassword } from "./members.passwords.ts";
import type { Session } from "./members.schemas.ts";
import { findSessionByToken, type Origin, signIn } from "./sign-in.ts";

const record = z.object({
  email: z.string(),
  role: z.enum(roles),
  expires_at: z.number(),
  accepted_at: z.number().nullable(),
  workspace_id: z.string(),
  workspace_name: z.string(),
  is_known: z.number(),
});

/** What a link invites to. `isKnown`: its email belongs to somebody who has a password already. */
export interface OpenInvitation {
  email: string;
  role: z.infer<typeof record>["role"];
  workspaceId: string;
  workspaceName: string;
  isKnown: boolean;
}

/** Throws `not_found` for a link that was never given out, was replaced or revoked; `invalid_state` for one used or expired. */
export async function readInvitation(ctx: BaseCtx, secret: string): Promise<OpenInvitation> {
  const found = record.safeParse(await findByHash(ctx, await sha256Hex(secret))).data;
  if (found === undefined) throw notFound("invitation");
  if (found.accepted_at !== null)
    throw new AppError("invalid_state", "This invitation has been accepted already. Sign in instead.", {
      status: "accepted",
    });
  if (found.expires_at <= ctx.now())
    throw new AppError("invalid_state", "This invitation has expired. Ask for a new one.", { status: "expired" });
  return {
    email: found.email,
    role: found.role,
    workspaceId: found.workspace_id,
    workspaceName: found.workspace_name,
    isKnown: found.is_known === 1,
  };
}

/** Why nothing came of an invitation that was open a moment ago. */
async function explain(ctx: BaseCtx, secret: string): Promise<AppError> {
  await readInvitation(ctx, secret);
  return new AppError("conflict", "Somebody has signed up with this email meanwhile. Reload the page.", {
    field: "email",
  });
}

/** Makes a user who is signed in a member. Throws `forbidden` when the invitation is somebody else's, and what `readInvitation` throws. */
export async function joinWorkspace(ctx: BaseCtx, secret: string, { user }: Session): Promise<void> {
  const { email } = await readInvitation(ctx, secret);
  if (email !== user.email) {
    const message = `This invitation is for ${email}, and you are signed in as ${user.email}. Sign out first.`;
    throw new AppError("forbidden", message);
  }
  if (!(await acceptAs(ctx, await sha256Hex(secret), user.id))) throw await explain(ctx, secret);
}

/** Makes somebody who has a password a member, and gives the token of a session. Throws what `signIn` and `readInvitation` throw. */
export async function joinWithPassword(
  ctx: BaseCtx,
  secret: string,
  password: string,
  origin: Origin,
): Promise<string> {
  const { email } = await readInvitation(ctx, secret);
  const token = await signIn(ctx, { email, password }, origin);
  const session = await findSessionByToken(ctx, token);
  if (session === null) throw await explain(ctx, secret);
  await joinWorkspace(ctx, secret, session);
  return token;
}

/** Makes somebody new a user and a member, and gives the token of a session. Throws `conflict` when the email has a user, and what `readInvitation` throws. */
export async function joinAsNew(
  ctx: BaseCtx,
  secret: string,
  { name, password }: { name: string; password: string },
  origin: Origin,
): Promise<string> {
  const { email } = await readInvitation(ctx, secret);
  const user = { id: ctx.newId("usr"), name, password: await hashPassword(password) };
  if (!(await acceptAsNew(ctx, await sha256Hex(secret), user))) throw await explain(ctx, secret);
  return signIn(ctx, { email, password }, origin);
}
