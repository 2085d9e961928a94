import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { hashPassword } from "./members.passwords.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";
import { findResetLink, findResettableMember, replaceResetLink, spendResetLink } from "./reset-links.sql.ts";
import { closeOtherPages, type Origin, limitAttempts, type SignedIn, startSession } from "./sign-in.ts";

const RESET_MS = HOUR_MS;

interface MadeLink {
  /** The email of the person it is for. */
  email: string;
  path: string;
  expiresAt: number;
}

/**
 * Makes a link by which a member sets a new password; `path` is where it leads, and is known only now. Owners make one for
 * people of their own workspace alone: it opens all that the person may. Throws `not_found` and `forbidden`.
 */
export async function makeResetLink(ctx: Ctx, userId: string): Promise<MadeLink> {
  const member = await findResettableMember(ctx, userId);
  if (member === undefined) throw notFound("member");
  const madeBy = ctx.actor.type === "member" ? ctx.actor.userId : null;
  if (madeBy !== null && member.belongsElsewhere)
    throw new AppError(
      "forbidden",
      "This person belongs to other workspaces too. Only the people who run this service can make this link.",
    );
  const secret = mintLinkSecret();
  const expiresAt = ctx.now() + RESET_MS;
  await replaceResetLink(ctx, { hash: await sha256Hex(secret), userId, madeBy, expiresAt });
  return { email: member.email, path: linkPath("reset", secret), expiresAt };
}

const ended = () => new AppError("invalid_state", "This link has ended. Ask for a new one.", { status: "expired" });

/**
 * The email whose password a link sets. Throws `not_found` for one that was never given out or was replaced; `invalid_state` for
 * one used or ended.
 */
export async function readResetLink(ctx: BaseCtx, secret: string): Promise<{ email: string }> {
  const link = await findResetLink(ctx, await sha256Hex(secret));
  if (link === undefined) throw notFound("reset link");
  if (link.usedAt !== null)
    throw new AppError("invalid_state", "This link has been used already. Ask for a new one.", { status: "used" });
  if (link.expiresAt <= ctx.now() || !link.isBacked) throw ended();
  return { email: link.email };
}

/** Sets the password of a link's person and ends all their sessions, once, but for the one it opens. Throws what `readResetLink` throws. */
export async function resetPassword(ctx: BaseCtx, secret: string, password: string, origin: Origin): Promise<SignedIn> {
  await limitAttempts(origin);
  await readResetLink(ctx, secret);
  const userId = await spendResetLink(ctx, await sha256Hex(secret), await hashPassword(password, ctx));
  if (userId !== undefined) {
    const signedIn = await startSession(ctx, userId, origin);
    ctx.waitUntil(closeOtherPages(ctx, signedIn));
    return signedIn;
  }
  await readResetLink(ctx, secret);
  throw ended();
}
