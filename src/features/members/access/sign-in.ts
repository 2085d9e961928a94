import * as z from "zod";
import { fetchRow, transact } from "../../../db/statement.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { AppError, askObject, invalid } from "../../../shared/errors.ts";
import { countAttempt, tooManyAttemptsError } from "./count-attempts.ts";
import { ATTEMPT_LIMITS, comparableUsers, counterChainsFor } from "../members.attempts.ts";
import { hashPassword, isOldHash, verifyPassword } from "../members.passwords.ts";
import { selectSession } from "../members.sql.ts";
import type { Session } from "../members.schemas.ts";
import { openDevice, openSession } from "../members.tokens.ts";
import { listUsersByEmail, mergeUsers, rememberNetwork, replaceHash, type UserOfEmail } from "./users.sql.ts";

export interface Origin {
  network: string;
  deviceCookie: string;
  mayTry(): Promise<boolean>;
}

export interface SignedIn {
  token: string;
  userId: string;
}

const loadIdentity = async (ctx: BaseCtx) => {
  const { bearerHeaders, openIdentity } = await import("./identity.sql.ts");
  return { auth: await openIdentity(ctx), bearerHeaders };
};

const identityError = z.object({ body: z.object({ code: z.string() }) });

const hasCode = (error: unknown, code: string) => identityError.safeParse(error).data?.body.code === code;

export async function limitAttempts(origin: Origin): Promise<void> {
  if (!(await origin.mayTry())) throw tooManyAttemptsError(MINUTE_MS);
}

/** Sign-in compares at least this many passwords. Otherwise a fast response would reveal that an email has no user. */
const LEAST_COMPARED = 2;

async function comparePassword(ctx: BaseCtx, password: string, users: readonly UserOfEmail[]): Promise<UserOfEmail[]> {
  const right: UserOfEmail[] = [];
  for (const user of users) if (await verifyPassword({ hash: user.password, password }, ctx)) right.push(user);
  for (let compared = users.length; compared < LEAST_COMPARED; compared++) await hashPassword(password, ctx);
  return right;
}

async function renewHash(ctx: BaseCtx, user: UserOfEmail, password: string): Promise<void> {
  await replaceHash(ctx, user, await hashPassword(password, ctx));
}

/** Returns the user with this email and password. Several such users are the same person, so they are merged. */
async function provePassword(ctx: BaseCtx, email: string, password: string, origin: Origin): Promise<string> {
  await limitAttempts(origin);
  const users = await listUsersByEmail(ctx, email, origin.network);
  const sent = await openDevice(origin.deviceCookie, ctx.now(), ctx.keySecret);
  const device = users.some(({ id }) => id === sent?.userId) ? sent : null;
  const chains = counterChainsFor(email, origin.network, device);
  const deviceChains = chains.device === null ? [] : [chains.device];
  const attempt = await countAttempt(ctx, [...deviceChains, chains.open]);
  const compared = comparableUsers(users, chains, device, attempt.isSpent);
  if (compared === null) throw attempt.error();
  const right = await comparePassword(ctx, password, compared);
  const [kept, ...others] = right;
  if (kept === undefined) throw new AppError("unauthorized", "The email or password is incorrect.");
  // If another user with this email has a different password, the attempt stays counted. Otherwise a person could guess
  // the other user's password without limit: they would set their own password to each guess and sign in.
  if (right.length === compared.length) await attempt.uncount(...deviceChains, chains.open);
  else if (right.some(({ id }) => id === device?.userId)) await attempt.uncount(...deviceChains);
  if (others.length > 0)
    await transact(ctx.control, {
      merge: mergeUsers(
        ctx,
        kept.id,
        others.map(({ id }) => id),
      ),
    });
  if (isOldHash(kept.password)) ctx.waitUntil(renewHash(ctx, kept, password));
  return kept.id;
}

export async function startSession(ctx: BaseCtx, userId: string, { network }: Origin): Promise<SignedIn> {
  const { auth } = await loadIdentity(ctx);
  const { internalAdapter } = await auth.$context;
  const [{ token }] = await Promise.all([internalAdapter.createSession(userId), rememberNetwork(ctx, userId, network)]);
  return { token, userId };
}

export async function signIn(
  ctx: BaseCtx,
  { email, password }: { email: string; password: string },
  origin: Origin,
): Promise<SignedIn> {
  return startSession(ctx, await provePassword(ctx, email.toLowerCase(), password, origin), origin);
}

export async function findSessionByToken(ctx: BaseCtx, token: string): Promise<Session | null> {
  const found = await fetchRow(ctx.control, selectSession(ctx, token));
  if (found === undefined) return null;
  const { session_id: id, ends_at: endsAt, memberships, ...user } = found;
  return { id, token, endsAt, user, memberships: memberships.toSorted((a, b) => a.name.localeCompare(b.name)) };
}

export async function findSession(ctx: BaseCtx, cookie: string): Promise<Session | null> {
  const token = await openSession(cookie, ctx.keySecret);
  return token === null ? null : findSessionByToken(ctx, token);
}

/**
 * Makes open pages react to a changed role or an ended session. We ignore a failure, because the live-updates objects
 * also check their pages every two minutes.
 */
export function checkOpenPages(ctx: BaseCtx, workspaces: readonly { id: string }[]): void {
  for (const { id } of workspaces) ctx.waitUntil(askObject(async () => ctx.liveUpdates.getByName(id).checkViewers()));
}

export async function signOut(ctx: BaseCtx, session: Session): Promise<void> {
  const { auth, bearerHeaders } = await loadIdentity(ctx);
  await auth.api.signOut({ headers: bearerHeaders(session.token) });
  checkOpenPages(ctx, session.memberships);
}

export async function signOutEverywhere(ctx: BaseCtx, session: Session): Promise<void> {
  const { auth, bearerHeaders } = await loadIdentity(ctx);
  await auth.api.revokeSessions({ headers: bearerHeaders(session.token) });
  checkOpenPages(ctx, session.memberships);
}

export async function closeOtherPages(ctx: BaseCtx, { token }: SignedIn): Promise<void> {
  const session = await findSessionByToken(ctx, token);
  if (session !== null) checkOpenPages(ctx, session.memberships);
}

export async function changePassword(
  ctx: BaseCtx,
  session: Session,
  { current, next }: { current: string; next: string },
  origin: Origin,
): Promise<SignedIn> {
  await limitAttempts(origin);
  const userId = session.user.id;
  // Somebody with a stolen session could guess the password here, so attempts are limited. They are counted per user,
  // so that other people's failed sign-ins do not lock out a signed-in user.
  const chain = [{ key: `password ${userId}`, limit: ATTEMPT_LIMITS.device }];
  const attempt = await countAttempt(ctx, [chain]);
  if (chain.some(attempt.isSpent)) throw attempt.error();
  const { auth, bearerHeaders } = await loadIdentity(ctx);
  const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
  try {
    const { token } = await auth.api.changePassword({ body, headers: bearerHeaders(session.token) });
    await attempt.uncount(chain);
    checkOpenPages(ctx, session.memberships);
    return { token: token ?? session.token, userId };
  } catch (error) {
    if (!hasCode(error, "INVALID_PASSWORD")) throw error;
    throw invalid({ path: "current_password", code: "invalid_value", message: "The password is incorrect." });
  }
}
