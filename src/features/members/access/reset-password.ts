import { and, eq, ne } from "drizzle-orm";
import { accounts, members, resetLinks, sessions, users } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { HOUR_MS } from "../../../shared/time/durations.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { decideAndCommit, decideOutsideWorkspaces } from "../../commits/decide-and-commit.ts";
import { findResetterFault, openResetLink } from "../members.changes.ts";
import { hashPassword } from "../members.passwords.ts";
import { selectMember } from "../members.sql.ts";
import { linkPath, mintLinkSecret } from "../members.tokens.ts";
import { closeOtherPages, type Origin, limitAttempts, type SignedIn, startSession } from "./sign-in.ts";

const selectMembershipElsewhere = (ctx: Ctx, userId: string) =>
  ctx.control
    .select({ workspaceId: members.workspaceId })
    .from(members)
    .where(and(eq(members.userId, userId), ne(members.workspaceId, ctx.workspace.id)))
    .limit(1);

const replaceResetLink = (ctx: BaseCtx, link: typeof resetLinks.$inferInsert) => [
  ctx.control.delete(resetLinks).where(eq(resetLinks.userId, link.userId)),
  ctx.control.insert(resetLinks).values(link),
];

function selectResetLink({ control }: BaseCtx, hash: string) {
  const isLink = eq(resetLinks.hash, hash);
  const isMaker = and(eq(members.workspaceId, resetLinks.workspaceId), eq(members.userId, resetLinks.madeBy));
  return {
    links: control
      .select({
        userId: resetLinks.userId,
        email: users.email,
        workspaceId: resetLinks.workspaceId,
        madeBy: resetLinks.madeBy,
        expiresAt: resetLinks.expiresAt,
        usedAt: resetLinks.usedAt,
      })
      .from(resetLinks)
      .innerJoin(users, eq(users.id, resetLinks.userId))
      .where(isLink),
    makers: control.select({ role: members.role }).from(resetLinks).innerJoin(members, isMaker).where(isLink),
    memberships: control
      .select({ workspaceId: members.workspaceId })
      .from(resetLinks)
      .innerJoin(members, eq(members.userId, resetLinks.userId))
      .where(isLink),
  };
}

const spendResetLink = (
  { control, now }: BaseCtx,
  hash: string,
  { userId, madeBy }: { userId: string; madeBy: string | null },
  passwordHash: string,
) => [
  control
    .update(accounts)
    .set({ password: passwordHash, updatedAt: new Date(now()) })
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential"))),
  control.delete(sessions).where(eq(sessions.userId, userId)),
  // If an owner created the link, the owner might have sent it to a different person. We therefore set the email to
  // unconfirmed.
  ...(madeBy === null ? [] : [control.update(users).set({ emailVerified: false }).where(eq(users.id, userId))]),
  control.update(resetLinks).set({ usedAt: now() }).where(eq(resetLinks.hash, hash)),
];

const RESET_MS = HOUR_MS;

interface MadeLink {
  email: string;
  path: string;
  expiresAt: number;
}

export async function makeResetLink(ctx: Ctx, userId: string): Promise<MadeLink> {
  const madeBy = ctx.actor.type === "member" ? ctx.actor.userId : null;
  const secret = mintLinkSecret();
  const expiresAt = ctx.now() + RESET_MS;
  const createdAt = ctx.now();
  const link = { hash: await sha256Hex(secret), userId, workspaceId: ctx.workspace.id, madeBy, expiresAt, createdAt };
  const email: string = await decideAndCommit(ctx, {
    database: "control",
    reads: { members: selectMember(ctx, userId), elsewhere: selectMembershipElsewhere(ctx, userId) },
    decide({ members: [member], elsewhere }) {
      if (member === undefined) return notFound("member");
      const fault = findResetterFault(madeBy, elsewhere);
      return fault ?? { writes: replaceResetLink(ctx, link), events: [], answer: member.email };
    },
  });
  return { email, path: linkPath("reset", secret), expiresAt };
}

export async function readResetLink(ctx: BaseCtx, secret: string): Promise<{ email: string }> {
  const { links, makers, memberships } = await transact(ctx.control, selectResetLink(ctx, await sha256Hex(secret)));
  const link = openResetLink(links[0], makers, memberships, ctx.now());
  if (link instanceof AppError) throw link;
  return { email: link.email };
}

export async function resetPassword(ctx: BaseCtx, secret: string, password: string, origin: Origin): Promise<SignedIn> {
  await limitAttempts(origin);
  const [hash, passwordHash] = await Promise.all([sha256Hex(secret), hashPassword(password, ctx)]);
  const userId: string = await decideOutsideWorkspaces(ctx, {
    reads: selectResetLink(ctx, hash),
    decide({ links, makers, memberships }) {
      const link = openResetLink(links[0], makers, memberships, ctx.now());
      if (link instanceof AppError) return link;
      return { writes: spendResetLink(ctx, hash, link, passwordHash), events: [], answer: link.userId };
    },
  });
  const signedIn = await startSession(ctx, userId, origin);
  ctx.waitUntil(closeOtherPages(ctx, signedIn));
  return signedIn;
}
