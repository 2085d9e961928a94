import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { invitations, members, users, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

const columns = {
  id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  expires_at: invitations.expiresAt,
  created_at: invitations.createdAt,
};

/** Sorts after every id, so that the first page is an index range like the others. */
const AFTER_ALL_IDS = "inv~";

/** The workspace's invitations that have not been accepted. */
const isOpen = (ctx: Ctx) => and(eq(invitations.workspaceId, ctx.workspace.id), isNull(invitations.acceptedAt));

/** Invitations that have not been accepted, newest first, one row more than `limit`. */
export const selectInvitations = (ctx: Ctx, limit: number, before = AFTER_ALL_IDS) =>
  ctx.control
    .select(columns)
    .from(invitations)
    .where(and(isOpen(ctx), lt(invitations.id, before)))
    .orderBy(desc(invitations.id))
    .limit(limit + 1);

/** Deletes an open invitation of the email, which the new one replaces. */
export const deleteOpenInvitation = (ctx: Ctx, email: string) =>
  ctx.control.delete(invitations).where(and(isOpen(ctx), eq(invitations.email, email)));

export const insertInvitation = (ctx: BaseCtx, row: typeof invitations.$inferInsert) =>
  ctx.control.insert(invitations).values(row);

/** Returns the deleted invitation. */
export const deleteInvitation = (ctx: Ctx, id: string) =>
  ctx.control
    .delete(invitations)
    .where(and(isOpen(ctx), eq(invitations.id, id)))
    .returning(columns);

const hasHash = (hash: string) => eq(invitations.hash, hash);

/** The invitation of a link, with its workspace's name. */
export const selectInvitationByHash = (ctx: BaseCtx, hash: string) =>
  ctx.control
    .select({
      email: invitations.email,
      role: invitations.role,
      expiresAt: invitations.expiresAt,
      acceptedAt: invitations.acceptedAt,
      workspaceId: invitations.workspaceId,
      workspaceName: sql<string>`${workspaces.name}`.as("workspace_name"),
    })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .where(hasHash(hash));

/** The workspace's member with the email of an invitation. */
export const selectInvitedMember = (ctx: BaseCtx, hash: string) =>
  ctx.control
    .select({ userId: members.userId })
    .from(invitations)
    .innerJoin(users, eq(users.email, invitations.email))
    .innerJoin(members, and(eq(members.workspaceId, invitations.workspaceId), eq(members.userId, users.id)))
    .where(hasHash(hash));

/** Unconfirmed users of an invitation's email without a workspace. */
export const selectAbandonedUsers = (ctx: BaseCtx, hash: string) =>
  ctx.control
    .select({ id: users.id })
    .from(invitations)
    .innerJoin(users, eq(users.email, invitations.email))
    .leftJoin(members, eq(members.userId, users.id))
    .where(and(hasHash(hash), eq(users.emailVerified, false), isNull(members.userId)));

/** Makes a user a member and marks the invitation as accepted. */
export const acceptInvitation = (
  ctx: BaseCtx,
  hash: string,
  member: Pick<typeof members.$inferInsert, "workspaceId" | "userId" | "role">,
) => [
  ctx.control
    .insert(members)
    .values({ ...member, createdAt: ctx.now() })
    .onConflictDoNothing(),
  ctx.control.update(invitations).set({ acceptedAt: ctx.now() }).where(hasHash(hash)),
];
