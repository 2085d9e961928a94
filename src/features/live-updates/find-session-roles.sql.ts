import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import { roles } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";

const sessionRow = z.object({ id: z.string(), role: z.enum(roles).nullable() });

/** The sessions among these that have not ended, each with its user's role in the workspace; null for a user who is no member. */
export const selectSessionRoles = (ctx: Ctx, sessionIds: readonly string[]): Statement<z.infer<typeof sessionRow>> =>
  statement(
    sessionRow,
    sql`
      SELECT s.id AS id, m.role AS role FROM json_each(${JSON.stringify(sessionIds)}) e
      CROSS JOIN sessions s ON s.id = e.value
      LEFT JOIN members m ON m.workspace_id = ${ctx.workspace.id} AND m.user_id = s.user_id
      WHERE s.expires_at > ${ctx.now()}`,
  );
