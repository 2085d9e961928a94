import { sql } from "drizzle-orm";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { tagsByNumbers } from "../../tags/tags.sql.ts";
import { sendableQuery } from "../../templates/templates.service.ts";

interface Ask {
  templateId: string;
  connectionId: string;
  tagNumbers: number[];
  segment: SQL;
}

/** What a scheduled campaign is judged by when its time has come, in one trip. */
export async function read(ctx: Ctx, { templateId, connectionId, tagNumbers, segment }: Ask) {
  const [template, connection, tags, segments] = await batch(ctx.db, [
    sendableQuery(ctx, templateId),
    sql`SELECT status FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL`,
    tagsByNumbers(ctx, tagNumbers),
    segment,
  ]);
  return { template, connection, tags, segments };
}

export const run = (ctx: Ctx, statement: SQL): Promise<unknown> => batch(ctx.db, [statement]);
