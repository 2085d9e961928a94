import { fetchRows } from "../../db/statement.ts";
import type { Role } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectSessionRoles } from "./check-viewers.sql.ts";

/** The role of each session's user in the workspace, null for those who are no members; sessions that have ended are left out. */
export async function findSessionRoles(ctx: Ctx, sessionIds: string[]): Promise<ReadonlyMap<string, Role | null>> {
  const rows = await fetchRows(ctx.control, selectSessionRoles(ctx, [...new Set(sessionIds)]));
  return new Map(rows.map(({ id, role }) => [id, role]));
}
