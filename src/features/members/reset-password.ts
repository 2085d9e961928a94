import * as z from "zod";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { hashPassword } from "./members.passwords.ts";
import { linkPath, mintLinkSecret } from "./members.tokens.ts";
import * as repository from "./reset-links.sql.ts";
import { type Origin, requirePatience, type SignedIn, startSession } from "./sign-in.ts";

const RESET_MS = HOUR_MS;

const memberElsewhere = z.object({ email: z.string(), is_elsewhere: z.number() });

interface MadeLink {
  /** Of the person it is for. */
  email: string;
  path: string;
  expiresAt: number;
}

/**
 * Makes a link by which a member sets a new password; `path` is where it leads, and is known only now. Owners make one for
 * people of their own workspace alone: it opens all that the person may. Throws `not_found` and `forbidden`.
 */
export async function makeResetLink(ctx: Ctx, userId: string): Promise<MadeLink> {
  const found = memberElsewhere.safeParse(await repository.findMember(ctx, userId)).data;
  if (found === undefined) throw notFound("member");
  const madeBy = ctx.actor.type === "member" ? ctx.actor.userId : null;
  if (madeBy !== null && found.is_elsewhere === 1)
    throw new AppError(
      "forbidden",
      "This person belongs to other workspaces too. Only the people who run this service can make this link.",
    );
  const secret = mintLinkSecret();
  const expiresAt = ctx.now() + RESET_MS;
  await repository.replace(ctx, { hash: await sha256Hex(secret), userId, madeBy, expiresAt });
  return { email: found.email, path: linkPath("reset", secret), expiresAt };
}

const record = z.object({
  email: z.string(),
  expires_at: z.number(),
  used_at: z.number().nullable(),
  is_backed: z.number(),
});

const ended = () => new AppError("invalid_state", "This link has ended. Ask for a new one.", { status: "expired" });

/** Reads for which email a link sets the password. Throws `not_found` for one that was never given out or was replaced; `invalid_state` for one used or ended. */
export async function readResetLink(ctx: BaseCtx, secret: string): Promise<{ email: string }> {
  const found = record.safeParse(await repository.find(ctx, await sha256Hex(secret))).data;
  if (found === undefined) throw notFound("reset link");
  if (found.used_at !== null)
    throw new AppError("invalid_state", "This link has been used already. Ask for a new one.", { status: "used" });
  if (found.expires_at <= ctx.now() || found.is_backed === 0) throw ended();
  return { email: found.email };
}

const resetUser = z.object({ user_id: z.string() });

/** Sets the password of a link's person and ends all their sessions, once, but for the one it opens. Throws what `readResetLink` throws. */
export async function resetPassword(ctx: BaseCtx, secret: string, password: string, origin: Origin): Promise<SignedIn> {
  await requirePatience(origin);
  await readResetLink(ctx, secret);
  const used = resetUser.safeParse(
    await repository.use(ctx, await sha256Hex(secret), await hashPassword(password)),
  ).data;
  if (used !== undefined) return startSession(ctx, used.user_id, origin);
  await readResetLink(ctx, secret);
  throw ended();
}
