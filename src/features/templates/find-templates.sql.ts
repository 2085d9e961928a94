import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";

const componentsRow = z.object({ id: z.string(), components: fromJson(z.array(z.unknown())) });

/** The components of the workspace's templates of these ids. */
export const selectComponentsByIds = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof componentsRow>> =>
  statement(
    componentsRow,
    sql`
      SELECT t.id, coalesce(t.components, '[]') AS components
      FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN templates t ON t.id = j.value
      WHERE t.workspace_id = ${ctx.workspace.id}`,
  );
