import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { isOneOf } from "../../../db/idioms.ts";
import { bool } from "../../../db/rows.ts";
import { fetchRows, statement } from "../../../db/statement.ts";
import { accounts, members, resetLinks, sessions, signInNetworks, users } from "../../../db/schema/index.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { NETWORK_KNOWN_MS } from "../members.attempts.ts";
import { insertUserMerges } from "../user-merges.sql.ts";

const a = columns(accounts, "a");
const m = columns(members, "m");
const n = columns(signInNetworks, "n");
const u = columns(users, "u");

/**
 * The most passwords that sign-in compares for one email. Each workspace has at most one user of an email, and a confirmed user
 * comes first.
 */
const MAX_USERS_OF_EMAIL = 10;

const userOfEmail = z.object({ id: z.string(), password: z.string(), knowsNetwork: bool });

export type UserOfEmail = z.output<typeof userOfEmail>;

/**
 * Users of an email with their passwords: confirmed first, then members of a workspace, then oldest first. Raw, because subqueries
 * sort and mark the rows.
 */
export const listUsersByEmail = (ctx: BaseCtx, email: string, network: string): Promise<UserOfEmail[]> =>
  fetchRows(
    ctx.control,
    statement(
      userOfEmail,
      sql`
    SELECT ${u.id} AS id, ${a.password} AS password,
      EXISTS (SELECT 1 FROM sign_in_networks n WHERE ${n.userId} = ${u.id} AND ${n.network} = ${network} AND ${n.lastAt} >= ${ctx.now() - NETWORK_KNOWN_MS}) AS knowsNetwork
    FROM users u CROSS JOIN accounts a ON ${a.userId} = ${u.id} AND ${a.providerId} = 'credential'
    WHERE ${u.email} = ${email}
    ORDER BY ${u.emailVerified} DESC, EXISTS (SELECT 1 FROM members m WHERE ${m.userId} = ${u.id}) DESC, ${u.id} LIMIT ${MAX_USERS_OF_EMAIL}`,
    ),
  );

/** Stores another hash of a user's password, unless the password has changed. */
export async function replaceHash(ctx: BaseCtx, { id, password }: UserOfEmail, hash: string): Promise<void> {
  const isUnchanged = and(eq(accounts.userId, id), eq(accounts.password, password));
  await ctx.control.update(accounts).set({ password: hash }).where(isUnchanged);
}

export async function rememberNetwork(ctx: BaseCtx, userId: string, network: string): Promise<void> {
  await ctx.control
    .insert(signInNetworks)
    .values({ userId, network, lastAt: ctx.now() })
    .onConflictDoUpdate({
      target: [signInNetworks.userId, signInNetworks.network],
      set: { lastAt: sql`excluded.last_at` },
    });
}

export async function updateUserName(ctx: BaseCtx, id: string, name: string): Promise<void> {
  await ctx.control
    .update(users)
    .set({ name, updatedAt: new Date(ctx.now()) })
    .where(eq(users.id, id));
}

export const selectUser = (ctx: BaseCtx, id: string) =>
  ctx.control.select({ id: users.id }).from(users).where(eq(users.id, id));

export function insertUser(
  ctx: BaseCtx,
  { id, name, email, passwordHash }: { id: string; name: string; email: string; passwordHash: string },
) {
  const now = new Date(ctx.now());
  const times = { createdAt: now, updatedAt: now };
  return [
    ctx.control.insert(users).values({ id, name, email, ...times }),
    ctx.control
      .insert(accounts)
      .values({ id, userId: id, accountId: id, providerId: "credential", password: passwordHash, ...times }),
  ];
}

/** Deletes users with their passwords, sessions and links. */
export const deleteUsers = ({ control }: BaseCtx, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : [
        control.delete(sessions).where(isOneOf(sessions.userId, ids)),
        control.delete(accounts).where(isOneOf(accounts.userId, ids)),
        control.delete(resetLinks).where(isOneOf(resetLinks.userId, ids)),
        control.delete(signInNetworks).where(isOneOf(signInNetworks.userId, ids)),
        control.delete(users).where(isOneOf(users.id, ids)),
      ];

/**
 * Merges users of the same email into the first one, who keeps their password and receives all memberships. Deletes the other
 * passwords and sessions; a job updates the rows of workspaces later.
 */
export const mergeUsers = (ctx: BaseCtx, keptId: string, others: readonly string[]) =>
  others.length === 0
    ? []
    : [
        ctx.control.update(members).set({ userId: keptId }).where(isOneOf(members.userId, others)),
        ...insertUserMerges(ctx, keptId, others),
        ...deleteUsers(ctx, others),
      ];
