import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

const unreadRow = z.object({ unread: z.number() });

/** One row: how many open conversations hold something unread, counted no further than `most`, by an index that holds these alone. */
export const selectUnreadConversations = (ctx: Ctx, most: number): Statement<z.infer<typeof unreadRow>> =>
  statement(
    unreadRow,
    sql`
      SELECT count(*) AS unread FROM (
        SELECT 1 FROM conversations INDEXED BY conversations_unread
        WHERE workspace_id = ${ctx.workspace.id} AND status = 'open' AND unread_count > 0 LIMIT ${most})`,
  );
