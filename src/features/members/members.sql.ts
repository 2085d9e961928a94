import { and, eq, gt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { members, sessions, users, workspaces } from "../../db/schema/index.ts";
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

/** Members in the order in which their users were created, one row more than `limit`. */
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

/** CROSS JOIN reads the users first: an email has few, but a workspace may have many members. */
export const selectMemberByEmail = (ctx: Ctx, email: string) =>
  ctx.control
    .select({ userId: users.id })
    .from(users)
    .crossJoin(members)
    .where(and(eq(users.email, email), eq(members.userId, users.id), ofWorkspace(ctx)));

/** An owner of the workspace other than this member. */
export const selectOtherOwner = (ctx: Ctx, userId: string) =>
  ctx.control
    .select({ userId: members.userId })
    .from(members)
    .where(and(ofWorkspace(ctx), eq(members.role, "owner"), ne(members.userId, userId)))
    .limit(1);

export const updateRole = (ctx: Ctx, userId: string, role: Role) =>
  ctx.control.update(members).set({ role }).where(isMember(ctx, userId));

export const deleteMember = (ctx: Ctx, userId: string) => ctx.control.delete(members).where(isMember(ctx, userId));

/** Other users with the same email. */
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

/** A session that has not ended, with its user and their workspaces. Raw, because every console page runs it. */
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
