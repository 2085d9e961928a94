// Opening a thread: the statements of one batch, in their order.
// 1. Select the newest unread message, for its read receipt.
// 2. Mark the conversation as read, and the member's mentions as seen.
// 3. Select the conversation.
// 4. Select the reason why free text may not be sent now.
// 5. Select a page of messages.
// 6. Select a page of notes.
import type { RowsByName } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { AppError } from "../../../shared/errors.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { clearUnreadCount, selectConversation } from "../../conversations/conversations.sql.ts";
import { selectNewestUnread } from "../../conversations/send-read-receipts.sql.ts";
import { sendReadReceipts } from "../../conversations/send-read-receipts.ts";
import { type HistoryRecord, selectConversationHistory } from "./conversation-history.sql.ts";
import { customerServiceWindowEnd } from "../messages.customer-service-window.ts";
import { earlierVersions, presentMessageContent, presentReactions, presentType } from "../messages.views.ts";
import { type MessageDelivery, toDelivery } from "../messages.states.ts";
import { newestOf, placeAmong } from "../notes/order-history.ts";
import type { NoteRecord } from "../notes/notes.schemas.ts";
import { clearUnseenMention, selectNotes } from "../notes/notes.sql.ts";
import { refusalError } from "../send-refusal.ts";
import { selectSendCheck } from "../send/send-message.sql.ts";
import { targetByConversation } from "../send/send-target.sql.ts";

export interface ThreadMessage {
  id: string;
  /** As answers show it. */
  type: string;
  content: ReturnType<typeof presentMessageContent>;
  body: string;
  /** The id of the message that it answers, or reacts to. */
  replyTo: string | null;
  reactions: ReturnType<typeof presentReactions>;
  isForwarded: boolean;
  templateId: string | null;
  /** The advertisement or product that led the person to write. */
  referral: HistoryRecord["referral"];
  /** ms since the epoch, of a message that was scheduled. */
  sendAt: number | null;
  fromContact: boolean;
  /** Null of a note, which is never sent. */
  delivery: MessageDelivery | null;
  /** The reason of a failure: a code of the API and, where the provider gave one, a sentence. */
  error: { code: string; message: string | null } | null;
  /** Null for a message written by hand. */
  by: "campaign" | "template" | null;
  /** The id of the member or the API key that had it sent, where one did. */
  authorId: string | null;
  /** ms since the epoch. */
  at: number;
  editedAt: number | null;
  revokedAt: number | null;
  /** Its texts before it was edited or taken back, oldest first. */
  earlier: string[];
  /** The author of a note, and the names of the members in it. */
  note: { author: string; mentions: string[] } | null;
}

export interface Thread {
  conversation: ConversationRecord;
  /** Newest first, one beyond `limit` where there are more. */
  messages: ThreadMessage[];
  /** The error that a reply in free text would get now; null where it would go. */
  refusal: AppError | null;
  /** The end of the customer service window (ms since the epoch); null where none applies, or the person has not written yet. */
  textUntil: number | null;
}

export const toThreadMessage = (record: HistoryRecord): ThreadMessage => ({
  id: record.id,
  type: presentType(record),
  content: presentMessageContent(record),
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
  by: record.campaign_id !== null ? "campaign" : record.template_id !== null ? "template" : null,
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

/** The content that an open thread is checked for. */
const FREE_TEXT = { text: "" };

/** The source of a thread. `read` throws `not_found`. */
export function prepareThread(ctx: Ctx, conversationId: string, page: { limit: number; before: string | undefined }) {
  const entries = {
    unread: selectNewestUnread(ctx, conversationId),
    markRead: [
      ...clearUnreadCount(ctx, conversationId),
      ...(ctx.actor.type === "member" ? [clearUnseenMention(ctx, ctx.actor.userId, conversationId)] : []),
    ],
    opened: selectConversation(ctx, conversationId),
    replyChecks: selectSendCheck(ctx, targetByConversation(ctx, conversationId), FREE_TEXT),
    messages: selectConversationHistory(ctx, conversationId, {
      limit: page.limit,
      before: placeAmong("msg", page.before),
    }),
    notes: selectNotes(ctx, conversationId, { limit: page.limit, before: placeAmong("note", page.before) }),
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
