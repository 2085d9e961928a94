import type { RowsByName } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { AppError } from "../../../shared/errors.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { clearUnreadCount, selectConversation } from "../../conversations/conversations.sql.ts";
import { selectNewestUnread, sendReadReceipts } from "../../conversations/send-read-receipts.ts";
import { idAmong, newestOf, selectConversationHistory } from "./conversation-history.ts";
import type { HistoryRecord } from "../messages.sql.ts";
import { customerServiceWindowEnd } from "../messages.customer-service-window.ts";
import { earlierVersions, presentMessageContent, presentReactions, presentType } from "../messages.views.ts";
import { type MessageDelivery, toDelivery } from "../messages.states.ts";
import type { NoteRecord } from "../notes/notes.schemas.ts";
import { clearUnseenMention, selectNotes } from "../notes/notes.service.ts";
import { refusalError } from "../send-refusal.ts";
import { selectSendCheck } from "../send/send-message.sql.ts";
import { targetByConversation } from "../send/find-addressee.ts";

export type ThreadMessage = Omit<ReturnType<typeof toThreadMessage>, "delivery" | "note"> & {
  delivery: MessageDelivery | null;
  note: { author: string; mentions: string[] } | null;
};

export interface Thread {
  conversation: ConversationRecord;
  messages: ThreadMessage[];
  /**
   * The error that a reply with free text would get now, for example because no window is open. Null if free text is
   * allowed.
   */
  refusal: AppError | null;
  /** When the customer service window ends, in ms since the epoch. Null before the person's first message. */
  textUntil: number | null;
}

const senderOf = ({ campaign_id, template_id }: HistoryRecord): "campaign" | "template" | null =>
  campaign_id !== null ? "campaign" : template_id !== null ? "template" : null;

export const toThreadMessage = (record: HistoryRecord) => ({
  id: record.id,
  type: presentType(record),
  content: presentMessageContent(record),
  templateTitle: record.template_form?.["header"] ?? null,
  body: record.body,
  replyTo: record.reply_to,
  reactions: presentReactions(record),
  isForwarded: record.is_forwarded ?? false,
  templateId: record.template_id,
  referral: record.referral,
  sendAt: record.send_at,
  fromContact: record.from_contact,
  delivery: toDelivery(record.state),
  error: record.error_code === null ? null : { code: record.error_code, message: record.error_message },
  by: senderOf(record),
  authorId: record.author_id,
  at: record.created_at,
  editedAt: record.edited_at,
  revokedAt: record.revoked_at,
  earlier: earlierVersions(record).map(({ body }) => body),
  note: null,
});

const toThreadNote = ({ id, body, created_at, author_type, author_name, mentions }: NoteRecord): ThreadMessage => ({
  id,
  type: "note",
  content: body,
  templateTitle: null,
  body,
  replyTo: null,
  reactions: [],
  isForwarded: false,
  templateId: null,
  referral: null,
  sendAt: null,
  fromContact: false,
  delivery: null,
  error: null,
  by: null,
  authorId: null,
  at: created_at,
  editedAt: null,
  revokedAt: null,
  earlier: [],
  note: {
    author: author_name ?? (author_type === "api_key" ? "An API key" : "A former member"),
    mentions: mentions.flatMap(({ name }) => name ?? []),
  },
});

const FREE_TEXT = { text: "" };

export function prepareThread(ctx: Ctx, conversationId: string, page: { limit: number; before: string | undefined }) {
  const entries = {
    // Must run before `markRead`, because after that no message is unread and no read receipt would be sent.
    unread: selectNewestUnread(ctx, conversationId),
    markRead: [
      ...clearUnreadCount(ctx, conversationId),
      ...(ctx.actor.type === "member" ? [clearUnseenMention(ctx, ctx.actor.userId, conversationId)] : []),
    ],
    opened: selectConversation(ctx, conversationId),
    replyChecks: selectSendCheck(ctx, targetByConversation(ctx, conversationId), FREE_TEXT),
    messages: selectConversationHistory(ctx, conversationId, {
      limit: page.limit,
      before: idAmong("msg", page.before),
    }),
    notes: selectNotes(ctx, conversationId, { limit: page.limit, before: idAmong("note", page.before) }),
  };
  return {
    entries,
    async read({ unread, opened, replyChecks, messages, notes }: RowsByName<typeof entries>): Promise<Thread> {
      const conversation = opened[0]?.result;
      const [check] = replyChecks;
      if (conversation === undefined || check === undefined) throw await conversationNotFound(ctx, conversationId);
      sendReadReceipts(ctx, unread);
      const lastInboundAt = check.last_inbound_at;
      const hasWindow = conversation.channel === "official" && lastInboundAt !== null;
      return {
        conversation,
        messages: newestOf([messages.map(toThreadMessage), notes.map(toThreadNote)], page.limit + 1),
        refusal: check.refusal === null ? null : refusalError(check, FREE_TEXT),
        textUntil: hasWindow ? customerServiceWindowEnd(lastInboundAt) : null,
      };
    },
  };
}
