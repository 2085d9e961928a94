import { and, eq, gt, or } from "drizzle-orm";
import * as z from "zod";
import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, transact } from "../../db/statement.ts";
import { members, users } from "../../db/schema/index.ts";
import type { Role } from "../../shared/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { type MemberRecord, membership } from "./members.schemas.ts";
import { mergeUsers } from "./users.sql.ts";

const columns = {
  user_id: users.id,
  name: users.name,
  email: users.email,
  role: members.role,
  is_confirmed: users.emailVerified,
  created_at: members.createdAt,
};

const ofWorkspace = (ctx: Ctx) => eq(members.workspaceId, ctx.workspace.id);
const isMember = (ctx: Ctx, userId: string) => and(ofWorkspace(ctx), eq(members.userId, userId));

/** Members in the order in which they became users, one row beyond `limit`. */
export const selectMembers = (ctx: Ctx, limit: number, after = "") =>
  ctx.control
    .select(columns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(ofWorkspace(ctx), gt(members.userId, after)))
    .orderBy(members.userId)
    .limit(limit + 1);

export const selectMember = (ctx: Ctx, userId: string) =>
  ctx.control.select(columns).from(members).innerJoin(users, eq(users.id, members.userId)).where(isMember(ctx, userId));

/** CROSS JOIN reads the users first: an email has few, a workspace may have many members. */
export async function findMemberByEmail(ctx: Ctx, email: string): Promise<MemberRecord | undefined> {
  const [member] = await ctx.control
    .select(columns)
    .from(users)
    .crossJoin(members)
    .where(and(eq(users.email, email), eq(members.userId, users.id), ofWorkspace(ctx)));
  return member;
}

/** True in SQL where the workspace keeps an owner without this member. */
const keepsAnOwner = (ctx: Ctx, userId: string): SQL => sql`
  (${members.role} <> 'owner' OR EXISTS (SELECT 1 FROM members o
    WHERE o.workspace_id = ${ctx.workspace.id} AND o.role = 'owner' AND o.user_id <> ${userId}))`;

export interface MemberChange {
  /** The member as they are now or, where they are removed, were; undefined where there is none. */
  member: MemberRecord | undefined;
  isDone: boolean;
}

/** Changes a role, unless the workspace would be left without an owner. */
export async function updateRole(ctx: Ctx, userId: string, role: Role, shown: Role | undefined): Promise<MemberChange> {
  const isAllowed = or(sql`${role} = 'owner'`, keepsAnOwner(ctx, userId));
  const from = sql`FROM members WHERE workspace_id = ${ctx.workspace.id} AND user_id = ${userId}`;
  const rows = await transact(ctx.control, {
    precondition: failOnOtherValues(from, [[sql`role`, shown, role]]),
    changed: ctx.control
      .update(members)
      .set({ role })
      .where(and(isMember(ctx, userId), isAllowed))
      .returning({ userId: members.userId }),
    member: selectMember(ctx, userId),
  });
  return { member: rows.member[0], isDone: rows.changed.length > 0 };
}

/** Deletes a membership, unless the workspace would be left without an owner. */
export async function deleteMember(ctx: Ctx, userId: string): Promise<MemberChange> {
  const rows = await transact(ctx.control, {
    member: selectMember(ctx, userId),
    removed: ctx.control
      .delete(members)
      .where(and(isMember(ctx, userId), keepsAnOwner(ctx, userId)))
      .returning({ userId: members.userId }),
  });
  return { member: rows.member[0], isDone: rows.removed.length > 0 };
}

/** Marks a member as the person of their email, who gets the memberships of other users of it. Gives the member, if there is one. */
export async function markConfirmed(ctx: Ctx, userId: string): Promise<MemberRecord | undefined> {
  const others = sql`
    SELECT o.id FROM members m CROSS JOIN users u ON u.id = m.user_id CROSS JOIN users o ON o.email = u.email
    WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id = ${userId} AND o.id <> ${userId}`;
  const isMemberHere = sql`
    EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id = ${userId})`;
  const rows = await transact(ctx.control, {
    merge: mergeUsers(userId, others, ctx.now()),
    confirm: sql`UPDATE users SET email_verified = 1 WHERE id = ${userId} AND ${isMemberHere}`,
    member: selectMember(ctx, userId),
  });
  return rows.member[0];
}

const sessionRow = z.object({
  session_id: z.string(),
  ends_at: z.number(),
  id: z.string(),
  name: z.string(),
  email: z.string(),
  memberships: fromJson(z.array(membership)),
});

/** A session that has not ended, with its user and the workspaces they belong to. */
export const selectSession = (ctx: BaseCtx, token: string) =>
  statement(
    sessionRow,
    sql`
    SELECT s.id AS session_id, s.expires_at AS ends_at, u.id AS id, u.name AS name, u.email AS email,
      (SELECT json_group_array(json_object('id', w.id, 'number', w.number, 'shard', w.shard, 'name', w.name, 'role', m.role,
        'time_zone', w.time_zone, 'steps_hidden_at', w.steps_hidden_at))
        FROM members m CROSS JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = u.id) AS memberships
    FROM sessions s CROSS JOIN users u ON u.id = s.user_id WHERE s.token = ${token} AND s.expires_at > ${ctx.now()}`,
  );
