import { sql } from "drizzle-orm";
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { clearUnreadCount, selectConversation } from "../conversations/conversations.sql.ts";
import { type HistoryPage, selectConversationHistory } from "./conversation-history.sql.ts";
import { selectSendCheck, targetByConversation } from "./send/send-message.sql.ts";

/** Marks a conversation read and reads it with a page of its history, in one trip. */
export const readThread = (ctx: Ctx, conversationId: string, page: HistoryPage) =>
  transact(ctx.db, {
    read: clearUnreadCount(ctx, conversationId, sql`TRUE`),
    conversations: selectConversation(ctx, conversationId),
    replyChecks: selectSendCheck(ctx, targetByConversation(ctx, conversationId), { text: "" }),
    messages: selectConversationHistory(ctx, conversationId, page),
  });
