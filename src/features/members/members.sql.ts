import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { Role } from "../../shared/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { joinUsers } from "./users.sql.ts";

const columns = sql`u.id AS user_id, u.name AS name, u.email AS email, m.role AS role,
  u.email_verified AS email_verified, m.created_at AS created_at`;

/** In the order in which they became users, one row beyond `limit`. */
export function list(ctx: Ctx, limit: number, after = ""): Promise<unknown[]> {
  return ctx.control.all(sql`
    SELECT ${columns} FROM members m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id > ${after} ORDER BY m.user_id LIMIT ${limit + 1}`);
}

const find = (ctx: Ctx, userId: string) => sql`
  SELECT ${columns} FROM members m CROSS JOIN users u ON u.id = m.user_id
  WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id = ${userId}`;

export async function findByEmail(ctx: Ctx, email: string): Promise<unknown> {
  const [row] = await ctx.control.all(sql`
    SELECT ${columns} FROM users u CROSS JOIN members m ON m.user_id = u.id
    WHERE u.email = ${email} AND m.workspace_id = ${ctx.workspace.id}`);
  return row;
}

/** True where the workspace keeps an owner without this one. */
const anotherOwns = (ctx: Ctx, userId: string) => sql`
  (role <> 'owner' OR EXISTS (SELECT 1 FROM members o
    WHERE o.workspace_id = ${ctx.workspace.id} AND o.role = 'owner' AND o.user_id <> ${userId}))`;

const one = (ctx: Ctx, userId: string) => sql`workspace_id = ${ctx.workspace.id} AND user_id = ${userId}`;

export interface Outcome {
  /** The member, as they are now or, where they are gone, were. */
  member: unknown;
  done: boolean;
}

export async function setRole(ctx: Ctx, userId: string, role: Role): Promise<Outcome> {
  const [changed = [], [member] = []] = await batch(ctx.control, [
    sql`
      UPDATE members SET role = ${role} WHERE ${one(ctx, userId)} AND (${role} = 'owner' OR ${anotherOwns(ctx, userId)})
      RETURNING user_id`,
    find(ctx, userId),
  ]);
  return { member, done: changed.length > 0 };
}

export async function remove(ctx: Ctx, userId: string): Promise<Outcome> {
  const [[member] = [], removed = []] = await batch(ctx.control, [
    find(ctx, userId),
    sql`DELETE FROM members WHERE ${one(ctx, userId)} AND ${anotherOwns(ctx, userId)} RETURNING user_id`,
  ]);
  return { member, done: removed.length > 0 };
}

/** Marks a member as the person of their email, who gets what other users of it belong to. Gives the member, if there is one. */
export async function confirm(ctx: Ctx, userId: string): Promise<unknown> {
  const others = sql`
    SELECT o.id FROM members m CROSS JOIN users u ON u.id = m.user_id CROSS JOIN users o ON o.email = u.email
    WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id = ${userId} AND o.id <> ${userId}`;
  const results = await batch(ctx.control, [
    ...joinUsers(userId, others),
    sql`
      UPDATE users SET email_verified = 1 WHERE id = ${userId} AND EXISTS (
        SELECT 1 FROM members m WHERE m.workspace_id = ${ctx.workspace.id} AND m.user_id = ${userId})`,
    find(ctx, userId),
  ]);
  return results.at(-1)?.[0];
}

/** A session that has not ended, with its user and, as JSON, the workspaces they belong to. */
export async function findSession(ctx: BaseCtx, token: string): Promise<unknown> {
  const [row] = await ctx.control.all(sql`
    SELECT u.id AS id, u.name AS name, u.email AS email,
      (SELECT json_group_array(json_object('id', w.id, 'number', w.number, 'shard', w.shard, 'name', w.name, 'role', m.role))
        FROM members m CROSS JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = u.id) AS memberships
    FROM sessions s CROSS JOIN users u ON u.id = s.user_id WHERE s.token = ${token} AND s.expires_at > ${ctx.now()}`);
  return row;
}
