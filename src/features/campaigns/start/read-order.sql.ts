import { sql } from "drizzle-orm";
import type { Ctx } from "../../../shared/context.ts";

/** What a campaign was started with, and the name its segment has by now; or undefined. */
export async function read(ctx: Ctx, id: string): Promise<unknown> {
  const [row] = await ctx.db.all(sql`
    SELECT p.audience AS audience, p.variables AS variables, s.name AS segment_name
    FROM campaigns p
    LEFT JOIN segments s ON s.id = p.audience ->> 'segmentId' AND s.workspace_id = p.workspace_id
    WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id}`);
  return row;
}
