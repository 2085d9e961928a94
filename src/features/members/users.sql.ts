import { type SQL, sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { KNOWN_MS } from "./members.attempts.ts";

/** Users of one email whose passwords are compared at most. There is one a workspace at most, and a confirmed one comes first. */
const MOST_USERS = 10;

/** Users of an email with their passwords: confirmed ones first, then those who belong to a workspace, older before newer. */
export function findByEmail(ctx: BaseCtx, email: string, network: string): Promise<unknown[]> {
  return ctx.control.all(sql`
    SELECT u.id AS id, a.password AS password,
      EXISTS (SELECT 1 FROM sign_in_networks n WHERE n.user_id = u.id AND n.network = ${network} AND n.last_at >= ${ctx.now() - KNOWN_MS}) AS knows_network
    FROM users u CROSS JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
    WHERE u.email = ${email}
    ORDER BY u.email_verified DESC, EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id) DESC, u.id LIMIT ${MOST_USERS}`);
}

export async function rememberNetwork(ctx: BaseCtx, userId: string, network: string): Promise<void> {
  await ctx.control.run(sql`
    INSERT INTO sign_in_networks (user_id, network, last_at) VALUES (${userId}, ${network}, ${ctx.now()})
    ON CONFLICT (user_id, network) DO UPDATE SET last_at = excluded.last_at`);
}

/** Takes users away: their passwords, sessions and links. `ids` gives one column of ids. */
export const removeUsers = (ids: SQL): SQL[] => [
  sql`DELETE FROM sessions WHERE user_id IN (${ids})`,
  sql`DELETE FROM accounts WHERE user_id IN (${ids})`,
  sql`DELETE FROM reset_links WHERE user_id IN (${ids})`,
  sql`DELETE FROM sign_in_networks WHERE user_id IN (${ids})`,
  sql`DELETE FROM users WHERE id IN (${ids})`,
];

/**
 * Makes users of the same email one: the first keeps their password and gets the memberships of the others, whose passwords
 * and sessions end. A workspace has one member of an email at most, so no membership is met twice.
 */
export const joinUsers = (keptId: string, others: SQL): SQL[] => [
  sql`UPDATE members SET user_id = ${keptId} WHERE user_id IN (${others})`,
  ...removeUsers(others),
];

/** Joins users who are known to be one person. */
export async function unite(ctx: BaseCtx, keptId: string, others: string[]): Promise<void> {
  await batch(ctx.control, joinUsers(keptId, sql`SELECT value FROM json_each(${JSON.stringify(others)})`));
}
