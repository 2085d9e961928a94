import { and, desc, eq, exists, gte, lte, sql } from "drizzle-orm";
import { isOneOf } from "../../../db/idioms.ts";
import {
  accounts,
  members,
  resetLinks,
  sessions,
  signInNetworks,
  userMerges,
  users,
  workspaces,
} from "../../../db/schema/index.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { NETWORK_KNOWN_MS } from "../members.attempts.ts";
import { insertSelect } from "../../../db/columns.ts";

const MAX_USERS_OF_EMAIL = 10;

export function listUsersByEmail({ control, now }: BaseCtx, email: string, network: string) {
  const isKnownNetwork = and(
    eq(signInNetworks.userId, users.id),
    eq(signInNetworks.network, network),
    gte(signInNetworks.lastAt, now() - NETWORK_KNOWN_MS),
  );
  const knownNetworks = control.select({ userId: signInNetworks.userId }).from(signInNetworks).where(isKnownNetwork);
  const memberships = control.select({ userId: members.userId }).from(members).where(eq(members.userId, users.id));
  return control
    .select({
      id: users.id,
      password: sql<string>`${accounts.password}`,
      knowsNetwork: sql<boolean>`${exists(knownNetworks)}`.mapWith(Boolean),
    })
    .from(users)
    .crossJoin(accounts)
    .where(and(eq(users.email, email), eq(accounts.userId, users.id), eq(accounts.providerId, "credential")))
    .orderBy(desc(users.emailVerified), desc(exists(memberships)), users.id)
    .limit(MAX_USERS_OF_EMAIL);
}

export type UserOfEmail = Awaited<ReturnType<typeof listUsersByEmail>>[number];

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
 * Moves all memberships to the kept user, and deletes the passwords and sessions of the others. A job later updates the
 * rows of the workspaces, which are on the shards.
 */
export const mergeUsers = (ctx: BaseCtx, keptId: string, others: readonly string[]) =>
  others.length === 0
    ? []
    : [
        ctx.control.update(members).set({ userId: keptId }).where(isOneOf(members.userId, others)),
        ...insertUserMerges(ctx, keptId, others),
        ...deleteUsers(ctx, others),
      ];

/**
 * A job later replaces these users with `keptId` in each workspace. If an unfinished merge has one of these users as
 * its target, the target becomes `keptId`.
 */
const insertUserMerges = (ctx: BaseCtx, keptId: string, ids: readonly string[]) => [
  ctx.control.update(userMerges).set({ intoId: keptId }).where(isOneOf(userMerges.intoId, ids)),
  insertSelect(
    userMerges,
    { intoId: members.userId, fromId: users.id, workspaceId: members.workspaceId, mergedAt: ctx.now() },
    sql`FROM ${users} CROSS JOIN ${members} ON ${members.userId} = ${keptId} WHERE ${isOneOf(users.id, ids)}
      ON CONFLICT DO NOTHING`,
  ),
];

export const selectUserMerges = (base: BaseCtx, limit: number) =>
  base.control
    .select({
      intoId: userMerges.intoId,
      intoName: users.name,
      fromId: userMerges.fromId,
      workspaceId: userMerges.workspaceId,
      workspaceNumber: workspaces.number,
      shard: workspaces.shard,
      mergedAt: userMerges.mergedAt,
      notesBefore: userMerges.notesBefore,
      messagesBefore: userMerges.messagesBefore,
    })
    .from(userMerges)
    .innerJoin(users, eq(users.id, userMerges.intoId))
    .innerJoin(workspaces, eq(workspaces.id, userMerges.workspaceId))
    .where(lte(userMerges.mergedAt, base.now()))
    .orderBy(userMerges.mergedAt)
    .limit(limit);

export type UserMerge = Awaited<ReturnType<typeof selectUserMerges>>[number];

const isMerge = ({ intoId, fromId, workspaceId }: UserMerge) =>
  and(eq(userMerges.intoId, intoId), eq(userMerges.fromId, fromId), eq(userMerges.workspaceId, workspaceId));

export async function updateUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  const { notesBefore, messagesBefore } = merge;
  await ctx.control.update(userMerges).set({ notesBefore, messagesBefore }).where(isMerge(merge));
}

export async function deleteUserMerge(ctx: BaseCtx, merge: UserMerge): Promise<void> {
  await ctx.control.delete(userMerges).where(isMerge(merge));
}
