import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts, conversations } from "../../../db/schema/index.ts";
import { fetchRows, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type ConversationRecord, listedConversation } from "../conversations.schemas.ts";
import { conversationColumns } from "../conversations.sql.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");

/** The conversations with these ids; missing ones are omitted. Raw for the columns that lists share. */
const selectConversationsByIds = (ctx: Ctx, ids: readonly string[]): Statement<ConversationRecord> =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx)} FROM json_each(${JSON.stringify(ids)}) e
      CROSS JOIN conversations v ON ${v.id} = e.value AND ${v.workspaceId} = ${ctx.workspace.id}
      CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`,
  );

/** The conversations with these ids, each once, in any order; missing ones are omitted. */
export const findConversations = (ctx: Ctx, ids: readonly string[]): Promise<ConversationRecord[]> =>
  fetchRows(ctx.db, selectConversationsByIds(ctx, [...new Set(ids)]));
