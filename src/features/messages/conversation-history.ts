// The history of a conversation. conversation-history.sql.ts decides which messages show, and in what order.
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { conversationNotFound } from "../conversations/conversations.service.ts";
import {
  type HistoryPage,
  type HistoryRecord,
  selectConversationExists,
  selectConversationHistory,
} from "./conversation-history.sql.ts";

/** Messages of a conversation, newest first, one beyond `limit` where there are more. Throws `not_found`. */
export async function listConversationHistory(
  ctx: Ctx,
  conversationId: string,
  page: HistoryPage,
): Promise<HistoryRecord[]> {
  const { conversation, messages } = await transact(ctx.db, {
    conversation: selectConversationExists(ctx, conversationId),
    messages: selectConversationHistory(ctx, conversationId, page),
  });
  if (conversation.length === 0) throw await conversationNotFound(ctx, conversationId);
  return messages;
}
