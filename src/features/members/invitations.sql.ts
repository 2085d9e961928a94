import { and, desc, eq, isNull, lt } from "drizzle-orm";
import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, transact } from "../../db/statement.ts";
import { invitations, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { InvitationRecord } from "./members.schemas.ts";
import { deleteUsers } from "./users.sql.ts";

const columns = {
  id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  expires_at: invitations.expiresAt,
  created_at: invitations.createdAt,
};

/** Sorts behind every id, so that the first page is a range of the index as the others are. */
const AFTER_ALL_IDS = "inv~";

/** Invitations of the workspace that have not been accepted. */
const isOpen = (ctx: Ctx) => and(eq(invitations.workspaceId, ctx.workspace.id), isNull(invitations.acceptedAt));

/** Invitations that have not been accepted, newest first, one row beyond `limit`. */
export const selectInvitations = (ctx: Ctx, limit: number, before = AFTER_ALL_IDS) =>
  ctx.control
    .select(columns)
    .from(invitations)
    .where(and(isOpen(ctx), lt(invitations.id, before)))
    .orderBy(desc(invitations.id))
    .limit(limit + 1);

type NewInvitation = Pick<typeof invitations.$inferInsert, "id" | "email" | "role" | "hash" | "expiresAt">;

/** Stores an invitation in place of an open one of the same email. */
export async function replaceInvitation(ctx: Ctx, invitation: NewInvitation): Promise<void> {
  const row = { ...invitation, workspaceId: ctx.workspace.id, createdAt: ctx.now() };
  await transact(ctx.control, {
    earlier: ctx.control.delete(invitations).where(and(isOpen(ctx), eq(invitations.email, invitation.email))),
    added: ctx.control.insert(invitations).values(row),
  });
}

/** Gives the invitation that was open, if it was. */
export async function deleteInvitation(ctx: Ctx, id: string): Promise<InvitationRecord | undefined> {
  const [deleted] = await ctx.control
    .delete(invitations)
    .where(and(isOpen(ctx), eq(invitations.id, id)))
    .returning(columns);
  return deleted;
}

/** The invitation of a link, with its workspace's name. */
export async function findInvitationByHash(ctx: BaseCtx, hash: string) {
  const [row] = await ctx.control
    .select({
      email: invitations.email,
      role: invitations.role,
      expiresAt: invitations.expiresAt,
      acceptedAt: invitations.acceptedAt,
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
    })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .where(eq(invitations.hash, hash));
  return row;
}

/** True in SQL of an invitation `i` that this user may accept: in a workspace, an email is one member's at most. */
const isAcceptable = (ctx: BaseCtx, hash: string, userId: string): SQL => sql`
  i.hash = ${hash} AND i.accepted_at IS NULL AND i.expires_at > ${ctx.now()} AND NOT EXISTS (
    SELECT 1 FROM users o CROSS JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = o.id
    WHERE o.email = i.email AND o.id <> ${userId})`;

/** Makes a user a member by an open invitation of their email. */
const insertInvitedMember = (ctx: BaseCtx, hash: string, userId: string): SQL => sql`
  INSERT INTO members (workspace_id, user_id, role, created_at)
  SELECT i.workspace_id, u.id, i.role, ${ctx.now()}
  FROM invitations i CROSS JOIN users u ON u.id = ${userId} AND u.email = i.email WHERE ${isAcceptable(ctx, hash, userId)}
  ON CONFLICT DO NOTHING`;

const acceptedInvitation = z.object({ workspace_id: z.string() });

/** Uses up the invitation; gives a row where it did. */
const markAccepted = (ctx: BaseCtx, hash: string, userId: string) =>
  statement(
    acceptedInvitation,
    sql`
    UPDATE invitations AS i SET accepted_at = ${ctx.now()}
    WHERE ${isAcceptable(ctx, hash, userId)} AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.email = i.email)
    RETURNING workspace_id`,
  );

/** Makes a user a member. False where the invitation is not open, or not for them. */
export async function acceptInvitation(ctx: BaseCtx, hash: string, userId: string): Promise<boolean> {
  const { accepted } = await transact(ctx.control, {
    member: insertInvitedMember(ctx, hash, userId),
    accepted: markAccepted(ctx, hash, userId),
  });
  return accepted.length > 0;
}

export interface NewUser {
  id: string;
  name: string;
  passwordHash: string;
}

/**
 * Makes the invited person a user and a member at once. False where the invitation is not open, or its email a member's.
 * Users of the email who belong to no workspace go, unless they are confirmed: inviting and removing somebody again and
 * again must not fill the list of passwords that signing in compares.
 */
export async function acceptInvitationAsNewUser(ctx: BaseCtx, hash: string, user: NewUser): Promise<boolean> {
  const { id, name, passwordHash } = user;
  const now = ctx.now();
  const abandoned = sql`
    SELECT a.id FROM invitations i CROSS JOIN users a ON a.email = i.email
    WHERE ${isAcceptable(ctx, hash, id)} AND a.email_verified = 0 AND NOT EXISTS (SELECT 1 FROM members b WHERE b.user_id = a.id)`;
  const { accepted } = await transact(ctx.control, {
    abandoned: deleteUsers(abandoned),
    user: sql`
      INSERT INTO users (id, name, email, created_at, updated_at)
      SELECT ${id}, ${name}, i.email, ${now}, ${now} FROM invitations i WHERE ${isAcceptable(ctx, hash, id)}`,
    password: sql`
      INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
      SELECT u.id, u.id, u.id, 'credential', ${passwordHash}, ${now}, ${now} FROM users u WHERE u.id = ${id}`,
    member: insertInvitedMember(ctx, hash, id),
    accepted: markAccepted(ctx, hash, id),
  });
  return accepted.length > 0;
}
