import { and, desc, eq, gt, isNull, lt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { invitations, members, sessions, users, workspaces } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Role } from "../../shared/access/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { membership } from "./members.schemas.ts";

const m = columns(members, "m");
const s = columns(sessions, "s");
const u = columns(users, "u");
const w = columns(workspaces, "w");

const recordColumns = {
  user_id: users.id,
  name: users.name,
  email: users.email,
  role: members.role,
  is_confirmed: users.emailVerified,
  created_at: members.createdAt,
};

const ofWorkspace = (ctx: Ctx) => eq(members.workspaceId, ctx.workspace.id);
const isMember = (ctx: Ctx, userId: string) => and(ofWorkspace(ctx), eq(members.userId, userId));

export const selectMembers = (ctx: Ctx, limit: number, after = "") =>
  ctx.control
    .select(recordColumns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(ofWorkspace(ctx), gt(members.userId, after)))
    .orderBy(members.userId)
    .limit(limit + 1);

export const selectMember = (ctx: Ctx, userId: string) =>
  ctx.control
    .select(recordColumns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(isMember(ctx, userId));

/**
 * CROSS JOIN makes SQLite read the users first, because an email has few users, but a workspace can have many members.
 */
export const selectMemberByEmail = (ctx: Ctx, email: string) =>
  ctx.control
    .select({ userId: users.id })
    .from(users)
    .crossJoin(members)
    .where(and(eq(users.email, email), eq(members.userId, users.id), ofWorkspace(ctx)));

export const selectOtherOwner = (ctx: Ctx, userId: string) =>
  ctx.control
    .select({ userId: members.userId })
    .from(members)
    .where(and(ofWorkspace(ctx), eq(members.role, "owner"), ne(members.userId, userId)))
    .limit(1);

export const updateRole = (ctx: Ctx, userId: string, role: Role) =>
  ctx.control.update(members).set({ role }).where(isMember(ctx, userId));

export const deleteMember = (ctx: Ctx, userId: string) => ctx.control.delete(members).where(isMember(ctx, userId));

export function selectOthersOfEmail(ctx: Ctx, userId: string) {
  const others = alias(users, "others");
  return ctx.control
    .select({ id: others.id })
    .from(users)
    .innerJoin(others, eq(others.email, users.email))
    .where(and(eq(users.id, userId), ne(others.id, userId)));
}

export const updateConfirmed = (ctx: Ctx, userId: string) =>
  ctx.control.update(users).set({ emailVerified: true }).where(eq(users.id, userId));

const sessionRow = z.object({
  session_id: z.string(),
  ends_at: z.number(),
  id: z.string(),
  name: z.string(),
  email: z.string(),
  memberships: fromJson(z.array(membership)),
});

/** Raw SQL, because every console page runs this query and raw SQL is faster. */
export const selectSession = (ctx: BaseCtx, token: string) =>
  statement(
    sessionRow,
    sql`
    SELECT ${s.id} AS session_id, ${s.expiresAt} AS ends_at, ${u.id} AS id, ${u.name} AS name, ${u.email} AS email,
      (SELECT json_group_array(json_object('id', ${w.id}, 'number', ${w.number}, 'shard', ${w.shard}, 'name', ${w.name}, 'role', ${m.role},
        'time_zone', ${w.timeZone}, 'steps_hidden_at', ${w.stepsHiddenAt}))
        FROM members m CROSS JOIN workspaces w ON ${w.id} = ${m.workspaceId} WHERE ${m.userId} = ${u.id}) AS memberships
    FROM sessions s CROSS JOIN users u ON ${u.id} = ${s.userId} WHERE ${s.token} = ${token} AND ${s.expiresAt} > ${ctx.now()}`,
  );

const invitationColumns = {
  id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  expires_at: invitations.expiresAt,
  created_at: invitations.createdAt,
};

const AFTER_ALL_IDS = "inv~";

const isOpen = (ctx: Ctx) => and(eq(invitations.workspaceId, ctx.workspace.id), isNull(invitations.acceptedAt));

export const selectInvitations = (ctx: Ctx, limit: number, before = AFTER_ALL_IDS) =>
  ctx.control
    .select(invitationColumns)
    .from(invitations)
    .where(and(isOpen(ctx), lt(invitations.id, before)))
    .orderBy(desc(invitations.id))
    .limit(limit + 1);

export const deleteOpenInvitation = (ctx: Ctx, email: string) =>
  ctx.control.delete(invitations).where(and(isOpen(ctx), eq(invitations.email, email)));

export const insertInvitation = (ctx: BaseCtx, row: typeof invitations.$inferInsert) =>
  ctx.control.insert(invitations).values(row);

export const deleteInvitation = (ctx: Ctx, id: string) =>
  ctx.control
    .delete(invitations)
    .where(and(isOpen(ctx), eq(invitations.id, id)))
    .returning(invitationColumns);

const hasHash = (hash: string) => eq(invitations.hash, hash);

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

export const selectInvitedMember = (ctx: BaseCtx, hash: string) =>
  ctx.control
    .select({ userId: members.userId })
    .from(invitations)
    .innerJoin(users, eq(users.email, invitations.email))
    .innerJoin(members, and(eq(members.workspaceId, invitations.workspaceId), eq(members.userId, users.id)))
    .where(hasHash(hash));

export const selectAbandonedUsers = (ctx: BaseCtx, hash: string) =>
  ctx.control
    .select({ id: users.id })
    .from(invitations)
    .innerJoin(users, eq(users.email, invitations.email))
    .leftJoin(members, eq(members.userId, users.id))
    .where(and(hasHash(hash), eq(users.emailVerified, false), isNull(members.userId)));

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
