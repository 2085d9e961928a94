import { sql } from "drizzle-orm";
import * as z from "zod";
import { members, sessions } from "../../db/schema/index.ts";
import { fetchRows, statement } from "../../db/statement.ts";
import { type Role, roles } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";

const sessionRow = z.object({ id: z.string(), role: z.enum(roles).nullable() });

/**
 * The workspace role of each session's user, by session; null if the user is not a member. Leaves out ended sessions. Raw, because
 * the builder cannot select from a list of values.
 */
export async function findSessionRoles(ctx: Ctx, sessionIds: string[]): Promise<ReadonlyMap<string, Role | null>> {
  const query = statement(
    sessionRow,
    sql`
      SELECT ${sessions.id}, ${members.role} FROM json_each(${JSON.stringify([...new Set(sessionIds)])}) e
      CROSS JOIN ${sessions} ON ${sessions.id} = e.value
      LEFT JOIN ${members} ON ${members.workspaceId} = ${ctx.workspace.id} AND ${members.userId} = ${sessions.userId}
      WHERE ${sessions.expiresAt} > ${ctx.now()}`,
  );
  return new Map((await fetchRows(ctx.control, query)).map(({ id, role }) => [id, role]));
}
