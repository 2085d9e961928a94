import { and, eq, ne } from "drizzle-orm";
import { accounts, members, resetLinks, sessions, users } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

/** A membership of a user in another workspace. */
export const selectMembershipElsewhere = (ctx: Ctx, userId: string) =>
  ctx.control
    .select({ workspaceId: members.workspaceId })
    .from(members)
    .where(and(eq(members.userId, userId), ne(members.workspaceId, ctx.workspace.id)))
    .limit(1);

/** Stores a link in place of the user's earlier ones. */
export const replaceResetLink = (ctx: BaseCtx, link: typeof resetLinks.$inferInsert) => [
  ctx.control.delete(resetLinks).where(eq(resetLinks.userId, link.userId)),
  ctx.control.insert(resetLinks).values(link),
];

/** The link of a secret with the email of its user, the role of the owner who made it, and where its user belongs. */
export function selectResetLink({ control }: BaseCtx, hash: string) {
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

/** Sets the password of the link's user, ends their sessions and uses up the link. */
export const spendResetLink = (
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
  // The operator's word does not cover a person whom an owner gave the password.
  ...(madeBy === null ? [] : [control.update(users).set({ emailVerified: false }).where(eq(users.id, userId))]),
  control.update(resetLinks).set({ usedAt: now() }).where(eq(resetLinks.hash, hash)),
];
