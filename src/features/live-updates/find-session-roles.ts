import { fetchRows } from "../../db/statement.ts";
import type { Role } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectSessionRoles } from "./find-session-roles.sql.ts";

/** The workspace role of each session's user, by session; null for a user who is no member. Sessions that have ended are left out. */
export async function findSessionRoles(ctx: Ctx, sessionIds: string[]): Promise<ReadonlyMap<string, Role | null>> {
  const rows = await fetchRows(ctx.control, selectSessionRoles(ctx, [...new Set(sessionIds)]));
  return new Map(rows.map(({ id, role }) => [id, role]));
}
