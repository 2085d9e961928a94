import * as z from "zod";
import { sql } from "../../../db/sql.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";

/** A workspace with more campaigns may be given a name twice. */
const MAX_NAMES = 1000;

const named = z.object({ name: z.string() });

/** Names of campaigns that begin as the one of this campaign does, latest first. */
export const selectSimilarNames = (ctx: Ctx, id: string): Statement<z.infer<typeof named>> =>
  statement(
    named,
    sql`
      SELECT q.name AS name FROM campaigns p CROSS JOIN campaigns q ON q.workspace_id = p.workspace_id
        AND substr(q.name, 1, 10) = substr(p.name, 1, 10)
      WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id} ORDER BY q.id DESC LIMIT ${MAX_NAMES}`,
  );
