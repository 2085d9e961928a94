import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import {
  type HistoryPage,
  type HistoryRecord,
  selectConversationExists,
  selectConversationHistory,
} from "./conversation-history.sql.ts";
import { newestOf, placeAmong } from "../notes/order-history.ts";
import type { NoteRecord } from "../notes/notes.schemas.ts";
import { selectNotes } from "../notes/notes.sql.ts";

/** Messages, and notes if `withNotes`, newest first; one beyond `limit` if there are more. Throws `not_found`. */
export async function listConversationHistory(
  ctx: Ctx,
  conversationId: string,
  { limit, before, withNotes }: HistoryPage & { withNotes: boolean },
): Promise<(HistoryRecord | NoteRecord)[]> {
  const { conversation, messages, notes } = await transact(ctx.db, {
    conversation: selectConversationExists(ctx, conversationId),
    messages: selectConversationHistory(ctx, conversationId, { limit, before: placeAmong("msg", before) }),
    notes: withNotes ? [selectNotes(ctx, conversationId, { limit, before: placeAmong("note", before) })] : [],
  });
  if (conversation.length === 0) throw await conversationNotFound(ctx, conversationId);
  return newestOf<HistoryRecord | NoteRecord>([messages, notes], limit + 1);
}
