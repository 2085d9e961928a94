import { eq } from "drizzle-orm";
import * as z from "zod";
import { bool } from "../../db/rows.ts";
import { sql } from "../../db/sql.ts";
import { fetchRow, type SQL, statement, transact } from "../../db/statement.ts";
import { resetLinks } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";

/** True in SQL of a user who belongs to another workspace as well. */
const belongsElsewhere = (workspaceId: string | SQL, userId: string | SQL): SQL => sql`
  EXISTS (SELECT 1 FROM members e WHERE e.user_id = ${userId} AND e.workspace_id <> ${workspaceId})`;

const resettableMember = z.object({ email: z.string(), belongsElsewhere: bool });

/** A member's email, and whether they belong to other workspaces too; undefined where they are no member. */
export function findResettableMember(ctx: Ctx, userId: string) {
  const { id } = ctx.workspace;
  return fetchRow(
    ctx.control,
    statement(
      resettableMember,
      sql`
    SELECT u.email AS email, ${belongsElsewhere(id, userId)} AS belongsElsewhere
    FROM members m CROSS JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ${id} AND m.user_id = ${userId}`,
    ),
  );
}

type NewResetLink = Pick<typeof resetLinks.$inferInsert, "hash" | "userId" | "madeBy" | "expiresAt">;

/** Stores a link in place of the user's earlier ones. */
export async function replaceResetLink(ctx: Ctx, link: NewResetLink): Promise<void> {
  const row = { ...link, workspaceId: ctx.workspace.id, createdAt: ctx.now() };
  await transact(ctx.control, {
    earlier: ctx.control.delete(resetLinks).where(eq(resetLinks.userId, link.userId)),
    added: ctx.control.insert(resetLinks).values(row),
  });
}

/**
 * True in SQL of a link `r` as long as the person who made it could still make it: an owner's ends when they are one no
 * more, and when the person it is for has left the workspace or joined another.
 */
const isBacked = sql`(r.made_by IS NULL OR (
  EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = r.workspace_id AND o.user_id = r.made_by AND o.role = 'owner')
  AND EXISTS (SELECT 1 FROM members p WHERE p.workspace_id = r.workspace_id AND p.user_id = r.user_id)
  AND NOT ${belongsElsewhere(sql`r.workspace_id`, sql`r.user_id`)}))`;

const resetLinkRow = z.object({
  email: z.string(),
  expiresAt: z.number(),
  usedAt: z.number().nullable(),
  isBacked: bool,
});

/** The link of a secret, with the email of the user whose password it sets. */
export const findResetLink = (ctx: BaseCtx, hash: string) =>
  fetchRow(
    ctx.control,
    statement(
      resetLinkRow,
      sql`
    SELECT u.email AS email, r.expires_at AS expiresAt, r.used_at AS usedAt, ${isBacked} AS isBacked
    FROM reset_links r CROSS JOIN users u ON u.id = r.user_id WHERE r.hash = ${hash}`,
    ),
  );

const spentLink = z.object({ user_id: z.string() });

/** Sets the password and ends every session of the user, once. Gives the user's id, or undefined where the link is not open. */
export async function spendResetLink(ctx: BaseCtx, hash: string, passwordHash: string): Promise<string | undefined> {
  const now = ctx.now();
  const isOpen = sql`r.hash = ${hash} AND r.used_at IS NULL AND r.expires_at > ${now} AND ${isBacked}`;
  const userOfLink = sql`SELECT r.user_id FROM reset_links r WHERE ${isOpen}`;
  const { spent } = await transact(ctx.control, {
    password: sql`
      UPDATE accounts SET password = ${passwordHash}, updated_at = ${now}
      WHERE provider_id = 'credential' AND user_id = (${userOfLink})`,
    sessions: sql`DELETE FROM sessions WHERE user_id = (${userOfLink})`,
    // The operator's word does not cover a person whom an owner gave the password.
    confirmation: sql`UPDATE users SET email_verified = 0 WHERE id = (${userOfLink} AND r.made_by IS NOT NULL)`,
    spent: statement(spentLink, sql`UPDATE reset_links AS r SET used_at = ${now} WHERE ${isOpen} RETURNING user_id`),
  });
  return spent[0]?.user_id;
}
