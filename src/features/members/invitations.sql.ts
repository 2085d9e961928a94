import { type SQL, sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { Role } from "../../shared/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { removeUsers } from "./users.sql.ts";

const columns = sql`id, email, role, expires_at, created_at`;

/** Those not accepted, newest first, one row beyond `limit`. */
export function list(ctx: Ctx, limit: number, before = "inv~"): Promise<unknown[]> {
  return ctx.control.all(sql`
    SELECT ${columns} FROM invitations
    WHERE workspace_id = ${ctx.workspace.id} AND accepted_at IS NULL AND id < ${before} ORDER BY id DESC LIMIT ${limit + 1}`);
}

export interface NewInvitation {
  id: string;
  email: string;
  role: Role;
  hash: string;
  expiresAt: number;
}

/** In place of an open one of the same email. */
export async function replace(ctx: Ctx, { id, email, role, hash, expiresAt }: NewInvitation): Promise<void> {
  const workspaceId = ctx.workspace.id;
  await batch(ctx.control, [
    sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND email = ${email} AND accepted_at IS NULL`,
    sql`
      INSERT INTO invitations (id, workspace_id, email, role, hash, expires_at, created_at)
      VALUES (${id}, ${workspaceId}, ${email}, ${role}, ${hash}, ${expiresAt}, ${ctx.now()})`,
  ]);
}

/** Gives the invitation that was open, if it was. */
export async function remove(ctx: Ctx, id: string): Promise<unknown> {
  const [row] = await ctx.control.all(sql`
    DELETE FROM invitations WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND accepted_at IS NULL
    RETURNING ${columns}`);
  return row;
}

/** The invitation of a link, with its workspace's name. */
export async function findByHash(ctx: BaseCtx, hash: string): Promise<unknown> {
  const [row] = await ctx.control.all(sql`
    SELECT i.email AS email, i.role AS role, i.expires_at AS expires_at, i.accepted_at AS accepted_at,
      w.id AS workspace_id, w.name AS workspace_name
    FROM invitations i CROSS JOIN workspaces w ON w.id = i.workspace_id WHERE i.hash = ${hash}`);
  return row;
}

/** A link that may be used by this user: in a workspace, an email is one member's at most. */
const open = (ctx: BaseCtx, hash: string, userId: string) => sql`
  i.hash = ${hash} AND i.accepted_at IS NULL AND i.expires_at > ${ctx.now()} AND NOT EXISTS (
    SELECT 1 FROM users o CROSS JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = o.id
    WHERE o.email = i.email AND o.id <> ${userId})`;

/** What makes a user a member by an open invitation of their email, which is thereby used. */
const join = (ctx: BaseCtx, hash: string, userId: string): SQL[] => [
  sql`
    INSERT INTO members (workspace_id, user_id, role, created_at)
    SELECT i.workspace_id, u.id, i.role, ${ctx.now()}
    FROM invitations i CROSS JOIN users u ON u.id = ${userId} AND u.email = i.email WHERE ${open(ctx, hash, userId)}
    ON CONFLICT DO NOTHING`,
  sql`
    UPDATE invitations AS i SET accepted_at = ${ctx.now()}
    WHERE ${open(ctx, hash, userId)} AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.email = i.email)
    RETURNING workspace_id`,
];

/** True where the user has become a member by it. */
export async function acceptAs(ctx: BaseCtx, hash: string, userId: string): Promise<boolean> {
  const results = await batch(ctx.control, join(ctx, hash, userId));
  return (results.at(-1) ?? []).length > 0;
}

export interface NewUser {
  id: string;
  name: string;
  /** Its hash. */
  password: string;
}

/**
 * Makes the invited person a user and a member at once. False where the invitation is not open, or its email a member's.
 * Users of the email who belong to no workspace go, unless they are confirmed: inviting and removing somebody again and
 * again must not fill the list of passwords that signing in compares.
 */
export async function acceptAsNew(ctx: BaseCtx, hash: string, { id, name, password }: NewUser): Promise<boolean> {
  const now = ctx.now();
  const abandoned = sql`
    SELECT a.id FROM invitations i CROSS JOIN users a ON a.email = i.email
    WHERE ${open(ctx, hash, id)} AND a.email_verified = 0 AND NOT EXISTS (SELECT 1 FROM members b WHERE b.user_id = a.id)`;
  const results = await batch(ctx.control, [
    ...removeUsers(abandoned),
    sql`
      INSERT INTO users (id, name, email, created_at, updated_at)
      SELECT ${id}, ${name}, i.email, ${now}, ${now} FROM invitations i WHERE ${open(ctx, hash, id)}`,
    sql`
      INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
      SELECT u.id, u.id, u.id, 'credential', ${password}, ${now}, ${now} FROM users u WHERE u.id = ${id}`,
    ...join(ctx, hash, id),
  ]);
  return (results.at(-1) ?? []).length > 0;
}
