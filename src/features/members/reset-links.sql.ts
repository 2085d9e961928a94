import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

/** True of a user who belongs to another workspace as well. */
const elsewhere = (workspaceId: unknown, userId: unknown) => sql`
  EXISTS (SELECT 1 FROM members e WHERE e.user_id = ${userId} AND e.workspace_id <> ${workspaceId})`;

/** A member's email, and whether they belong to other workspaces too; undefined where they are no member. */
export async function findMember(ctx: Ctx, userId: string): Promise<unknown> {
  const { id } = ctx.workspace;
  const [row] = await ctx.control.all(sql`
    SELECT u.email AS email, ${elsewhere(id, userId)} AS is_elsewhere
    FROM members m CROSS JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ${id} AND m.user_id = ${userId}`);
  return row;
}

export interface NewResetLink {
  hash: string;
  userId: string;
  /** The owner who makes it; null for the operator. */
  madeBy: string | null;
  expiresAt: number;
}

/** In place of the user's earlier links. */
export async function replace(ctx: Ctx, { hash, userId, madeBy, expiresAt }: NewResetLink): Promise<void> {
  const now = ctx.now();
  await batch(ctx.control, [
    sql`DELETE FROM reset_links WHERE user_id = ${userId}`,
    sql`
      INSERT INTO reset_links (hash, user_id, workspace_id, made_by, expires_at, created_at)
      VALUES (${hash}, ${userId}, ${ctx.workspace.id}, ${madeBy}, ${expiresAt}, ${now})`,
  ]);
}

/**
 * True of a link as long as who made it could make it: an owner's ends when they are one no more, and when the person has
 * left the workspace or joined another.
 */
const isBacked = sql`(r.made_by IS NULL OR (
  EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = r.workspace_id AND o.user_id = r.made_by AND o.role = 'owner')
  AND EXISTS (SELECT 1 FROM members p WHERE p.workspace_id = r.workspace_id AND p.user_id = r.user_id)
  AND NOT ${elsewhere(sql`r.workspace_id`, sql`r.user_id`)}))`;

/** The link of a secret, with whose password it sets. */
export async function find(ctx: BaseCtx, hash: string): Promise<unknown> {
  const [row] = await ctx.control.all(sql`
    SELECT u.email AS email, r.expires_at AS expires_at, r.used_at AS used_at, ${isBacked} AS is_backed
    FROM reset_links r CROSS JOIN users u ON u.id = r.user_id WHERE r.hash = ${hash}`);
  return row;
}

/** Sets the password and ends every session of the user, once. Gives the user's id, or undefined where the link is not open. */
export async function use(ctx: BaseCtx, hash: string, password: string): Promise<unknown> {
  const now = ctx.now();
  const open = sql`r.hash = ${hash} AND r.used_at IS NULL AND r.expires_at > ${now} AND ${isBacked}`;
  const results = await batch(ctx.control, [
    sql`
      UPDATE accounts SET password = ${password}, updated_at = ${now}
      WHERE provider_id = 'credential' AND user_id = (SELECT r.user_id FROM reset_links r WHERE ${open})`,
    sql`DELETE FROM sessions WHERE user_id = (SELECT r.user_id FROM reset_links r WHERE ${open})`,
    // The operator's word does not cover somebody whom an owner gave the password.
    sql`
      UPDATE users SET email_verified = 0
      WHERE id = (SELECT r.user_id FROM reset_links r WHERE ${open} AND r.made_by IS NOT NULL)`,
    sql`UPDATE reset_links AS r SET used_at = ${now} WHERE ${open} RETURNING user_id`,
  ]);
  return results.at(-1)?.[0];
}
