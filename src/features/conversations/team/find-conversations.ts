import { sql } from "drizzle-orm";
import { fetchRows, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type ConversationRecord, listedConversation } from "../conversations.schemas.ts";
import { conversationColumns } from "../conversations.sql.ts";

/** The conversations with these ids; missing ones are omitted. Raw for the columns that lists share. */
const selectConversationsByIds = (ctx: Ctx, ids: readonly string[]): Statement<ConversationRecord> =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx)} FROM json_each(${JSON.stringify(ids)}) e
      CROSS JOIN conversations v ON v.id = e.value AND v.workspace_id = ${ctx.workspace.id}
      CROSS JOIN contacts c ON c.seq = v.contact_seq`,
  );

/** The conversations with these ids, each once, in any order; missing ones are omitted. */
export const findConversations = (ctx: Ctx, ids: readonly string[]): Promise<ConversationRecord[]> =>
  fetchRows(ctx.db, selectConversationsByIds(ctx, [...new Set(ids)]));
