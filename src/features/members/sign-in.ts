import * as z from "zod";
import type { BaseCtx } from "../../shared/context.ts";
import { AppError, invalid } from "../../shared/errors.ts";
import { tryPassword } from "./count-attempts.ts";
import { findSession as readSession } from "./members.repository.ts";
import { membership, type Session } from "./members.schemas.ts";
import { openSession } from "./members.tokens.ts";

/** Where a password comes from. */
export interface Origin {
  /** The client's network address. */
  address: string;
}

const identity = async (ctx: BaseCtx) => {
  const { bearing, openIdentity } = await import("./identity.repository.ts");
  return { auth: await openIdentity(ctx), bearing };
};

/** better-auth's refusals, by the code it gives them. */
const refusal = z.object({ body: z.object({ code: z.string() }) });

const hasCode = (error: unknown, code: string) => refusal.safeParse(error).data?.body.code === code;

/** Opens a session and gives its token. Throws `unauthorized`, and `rate_limited` after too many attempts. */
export function signIn(
  ctx: BaseCtx,
  { email, password }: { email: string; password: string },
  { address }: Origin,
): Promise<string> {
  return tryPassword(ctx, { email: email.toLowerCase(), address }, async () => {
    const { auth } = await identity(ctx);
    try {
      return (await auth.api.signInEmail({ body: { email, password } })).token;
    } catch (error) {
      if (["INVALID_EMAIL_OR_PASSWORD", "INVALID_EMAIL"].some((code) => hasCode(error, code)))
        throw new AppError("unauthorized", "The email or the password is not right.");
      throw error;
    }
  });
}

const user = z.object({ id: z.string(), name: z.string(), email: z.string(), memberships: z.string() });

/** A session with its user and the workspaces they belong to, by name; null when it has ended. */
export async function findSessionByToken(ctx: BaseCtx, token: string): Promise<Session | null> {
  const found = user.safeParse(await readSession(ctx, token)).data;
  if (found === undefined) return null;
  const { memberships, ...rest } = found;
  const workspaces = z.array(membership).parse(JSON.parse(memberships));
  return { token, user: rest, memberships: workspaces.toSorted((a, b) => a.name.localeCompare(b.name)) };
}

/** The session of a cookie; null when the cookie is forged or the session has ended. One trip. */
export async function findSession(ctx: BaseCtx, cookie: string): Promise<Session | null> {
  const token = await openSession(cookie, ctx.keySecret);
  return token === null ? null : findSessionByToken(ctx, token);
}

/** Ends a session. */
export async function signOut(ctx: BaseCtx, { token }: Session): Promise<void> {
  const { auth, bearing } = await identity(ctx);
  await auth.api.signOut({ headers: bearing(token) });
}

/** Ends every session of the user. */
export async function signOutEverywhere(ctx: BaseCtx, { token }: Session): Promise<void> {
  const { auth, bearing } = await identity(ctx);
  await auth.api.revokeSessions({ headers: bearing(token) });
}

/** Changes the password and ends every session but a new one, whose token it gives. Throws `validation_failed`, `rate_limited`. */
export function changePassword(
  ctx: BaseCtx,
  session: Session,
  { current, next }: { current: string; next: string },
  { address }: Origin,
): Promise<string> {
  return tryPassword(ctx, { email: session.user.email, address }, async () => {
    const { auth, bearing } = await identity(ctx);
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
    try {
      return (await auth.api.changePassword({ body, headers: bearing(session.token) })).token ?? session.token;
    } catch (error) {
      if (!hasCode(error, "INVALID_PASSWORD")) throw error;
      throw invalid({ path: "current_password", code: "invalid_value", message: "This is not your password." });
    }
  });
}
